-- Event cards whose text is a procedure, by the id of the card: content/catan-duel/cards/events.toml.
local events = {}

-- The opponent looks at your hand and puts two cards of it under draw stacks.
function events.fraternal_feuds(ctx)
  local rival, hand = ctx:as(ctx.opponent), ctx:zone("hand", ctx.me)
  rival:look(ctx:pieces(hand))
  for _ = 1, math.min(2, ctx:count(hand)) do
    rival:raise("put_under", rival:choose { from = hand, prompt = "feud_card" })
  end
end

-- The opponent names three of your buildings, all of them if there are no more; you put one of these under a draw stack.
function events.feud(ctx)
  local open = ctx:filter(ctx:in_play("building", ctx.me), function(building)
    return #ctx:attached(building) == 0
  end)
  if #open > 3 then
    local named = ctx:choose { from = open, by = ctx.opponent, least = 3, most = 3, prompt = "name_building" }
    open = ctx:filter(open, function(building) return table.find(named, building) ~= nil end)
  end
  ctx:raise("give_up", ctx:choose { from = open, prompt = "give_up_building" })
end

return events
