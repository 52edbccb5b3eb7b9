-- What cards bring, if it is a procedure. docs/lua.md shows all that `ctx` can do, with an example each.
local cards = {}

-- "Gain 1 coin for each card that you have built."
function cards.ferry(ctx)
  ctx:gain("coin", #ctx:pieces("built"))
end

return cards
