-- Action cards whose text is a procedure, by the id of the card: content/colons-de-catane/cards/actions.toml.
local actions = {}

-- Take up to 2 resources from the opponent, then give one in return, for which there is room.
function actions.merchant(ctx)
  ctx:raise("plunder", 2)
  local gifts = ctx:filter(ctx:members("goods"), function(what)
    return ctx.me[what] > 0 and ctx:room(what, ctx.opponent) > 0
  end)
  local gift = ctx:choose_resource { from = gifts, prompt = "merchant_gift" }
  ctx:as(ctx.opponent):take(gift, 1, ctx.me)
end

-- 1 or 2 resources are paid; returns how many.
local function load_caravan(ctx)
  for load = 1, 2 do
    local mine = ctx:filter(ctx:members("goods"), function(what) return ctx.me[what] > 0 end)
    local what = ctx:choose_resource { from = mine, prompt = "caravan_load", optional = load > 1 }
    if not what then
      return load - 1
    end
    ctx:pay(what)
  end
  return 2
end

-- Pay 1 or 2 resources, then receive as many of your choice.
function actions.caravan(ctx)
  for _ = 1, load_caravan(ctx) do
    ctx:raise("receive")
  end
end

return actions
