-- Exploring the wilderness: content/settlement/game/actions.toml, action.explore.
local explorers = {}

-- A terrain may lie next to one that is explored already; the very first one anywhere.
local function reachable(ctx, space)
  if #ctx:in_play("terrain", ctx.me) == 0 then
    return true
  end
  return ctx:any(ctx:neighbours(space), function(next_to) return not next_to.empty end)
end

-- Draw from the stack of the region, see what it is, lay it on a free space of that region, then see what lives there.
function explorers.explore(ctx, region)
  local terrain = ctx:top("terrain_stack_" .. region.line)
  ctx:move(terrain, "drawn")
  local spaces = ctx:filter(ctx:free_cells("wilderness"), function(space)
    return space.row == region.line and reachable(ctx, space)
  end)
  local space = ctx:choose { from = spaces, prompt = "space" }
  ctx:move(terrain, space)
  ctx:raise("explored", terrain)
  ctx:raise("encounter", terrain)
end

return explorers
