-- Actions whose text is a procedure: content/settlement/game/actions.toml.
local actions = {}

-- Keep one basic resource for each fortification on the shelf, as many as you like.
local function keep(ctx, most, shelf)
  local me = ctx.me
  for _ = 1, most do
    local held = ctx:filter(ctx:members("basic"), function(resource) return me[resource] > 0 end)
    local kept = ctx:choose_resource { from = held, prompt = "keep", optional = true }
    if not kept then
      return
    end
    ctx:store(kept, 1, shelf)
  end
end

local function pay_all(ctx)
  local me = ctx.me
  for _, resource in ipairs(ctx:members("basic")) do
    local amount = me[resource]
    if amount ~= 0 then
      ctx:pay(resource, amount)
    end
  end
end

local function take_all(ctx, shelf)
  for _, resource in ipairs(ctx:members("basic")) do
    ctx:take(resource, shelf[resource], shelf)
  end
end

-- Take an artifact of the row, and lay the old one there.
local function swap_artifact(ctx)
  local artifact = ctx:choose { from = "artifact_row", prompt = "artifact" }
  for _, old in ipairs(ctx:pieces("artifact_slot")) do
    ctx:raise("artifact_returned", old)
  end
  ctx:move(artifact, "artifact_slot")
  ctx:raise("artifact_taken", artifact)
end

-- After a pass: keep a basic resource for each fortification and lose the others; take everything back; swap the artifact.
function actions.pass(ctx)
  local fortifications = #ctx:in_play("fortification", ctx.me)
  if fortifications == 0 then
    pay_all(ctx)
  else
    local shelf = ctx:first(ctx:in_play("shelf", ctx.me))
    keep(ctx, fortifications, shelf)
    pay_all(ctx)
    take_all(ctx, shelf)
  end
  ctx:raise("villagers_return")
  swap_artifact(ctx)
end

return actions
