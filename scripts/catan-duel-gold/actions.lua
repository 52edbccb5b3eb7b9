-- Action cards whose text is a procedure, by the id of the card: content/catan-duel-gold/cards/actions.toml.
local actions = {}

-- The opponent hands over 1 or 2 resources of your choice; then you give one of yours in return.
function actions.merchant(ctx)
  ctx:raise("demand", 2)
  local mine = ctx:filter(ctx:members("goods"), function(what) return ctx.me[what] > 0 end)
  local gift = ctx:choose_resource { from = mine, prompt = "merchant_gift" }
  ctx:as(ctx.opponent):take(gift, 1, ctx.me)
end

return actions
