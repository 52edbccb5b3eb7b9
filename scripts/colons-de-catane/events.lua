-- Event cards whose text is a procedure, by the id of the card: content/colons-de-catane/cards/events.toml.
local events = {}

-- You may search a pile other than the one searched before, take one of its cards and put a card of your hand under it.
function events.architect(ctx)
  local searched = ctx:get("architect_stack")
  local stacks = ctx:filter(ctx:cells("stacks"), function(stack) return not stack.empty and stack ~= searched end)
  if ctx:none(stacks) or not ctx:confirm("call_architect") then
    return
  end
  local stack = ctx:choose { from = stacks, prompt = "search_in" }
  ctx:set("architect_stack", stack)
  ctx:raise("take_from_stack", stack)
  ctx:move(ctx:choose { from = "hand", prompt = "architect_return" }, stack, { bottom = true })
end

-- With the knight token: look at the opponent's hand and put two cards from it under one pile.
function events.conflict(ctx)
  local hand = ctx:zone("hand", ctx.opponent)
  local most = math.min(2, ctx:count(hand))
  if most == 0 or ctx:none(ctx:in_play("strength_token", ctx.me)) then
    return
  end
  ctx:look(ctx:pieces(hand))
  local stack = ctx:choose { from = ctx:cells("stacks"), prompt = "under_stack" }
  for _ = 1, most do
    ctx:move(ctx:choose { from = hand, prompt = "conflict_card" }, stack, { bottom = true })
  end
end

-- What the hand holds above its limit goes under one pile, in the order in which it is named.
function events.trim_hand(ctx)
  local stack = ctx:choose { from = ctx:cells("stacks"), prompt = "under_stack" }
  for _ = 1, ctx:count("hand") - ctx:value("hand_limit") do
    ctx:move(ctx:choose { from = "hand", prompt = "surplus" }, stack, { bottom = true })
  end
end

return events
