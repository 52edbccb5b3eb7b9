-- The turn order tile: stacks of markers, of which the topmost decides.

local order = {}

-- Whose marker lies on top of the left stack; if that is empty, on top of the one above; if that is empty too, nobody's.
function order.next_player(ctx)
  local marker = ctx:top("order_left") or ctx:top("order_top")
  return marker and ctx:get("marker_owner", marker)
end

return order
