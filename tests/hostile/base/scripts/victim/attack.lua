-- What `work` does unless an attack puts something else here.
local attack = {}

function attack.run(ctx)
  ctx:gain("coin", 1)
end

return attack
