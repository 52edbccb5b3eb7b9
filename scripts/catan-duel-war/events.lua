-- Event cards whose text is a procedure, by the id of the card: content/catan-duel-war/cards/events.toml.
local events = {}

-- Pay 1 gold, with more than 2 units 2 gold, or put one of the units under a draw stack.
function events.riots(ctx)
  local units = ctx:filter(ctx:in_play("unit", ctx.me), function(unit) return unit.strength > 0 or unit.commerce > 0 end)
  local due = #units > 2 and 2 or 1
  if ctx:can_pay("gold", due) and ctx:either { "pay_gold", "give_up_unit" } == "pay_gold" then
    ctx:pay("gold", due)
  else
    ctx:raise("give_up", ctx:choose { from = units, prompt = "rioting_unit" })
  end
end

return events
