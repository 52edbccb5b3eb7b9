-- The helpers whose text is a procedure: content/night-garden/cards/helpers.toml.
local animals = {}

-- Look at the next three cards of your deck. Take one into your hand, and discard the others.
function animals.owl(ctx)
  for _ = 1, 3 do
    ctx:raise("reshuffled")
    ctx:draw(1, "deck", "aside")
  end
  local kept = ctx:choose { from = "aside", prompt = "keep", if_any = true }
  if kept then
    ctx:move(kept, "hand")
  end
  local others = ctx:pieces("aside")
  ctx:disclose(others)
  for _, card in ipairs(others) do
    ctx:move(card, "discard")
  end
end

-- 2 dew. All others who have four cards or more discard one of their choice.
function animals.hedgehog(ctx)
  ctx:gain("dew", 2)
  for _, player in ipairs(ctx.others) do
    if ctx:count("hand", player) >= 4 then
      local them = ctx:as(player)
      them:move(them:choose { from = "hand", prompt = "throw" }, "discard")
    end
  end
end

-- Play a helper of your hand, and then play it once more.
function animals.spider(ctx)
  local helper = ctx:choose {
    from = "hand",
    where = function(card) return ctx:can(card, "play") end,
    prompt = "which_helper",
    if_any = true,
  }
  if helper then
    ctx:move(helper, "tonight")
    ctx:use(helper, "play")
    if ctx:can(helper, "play") then
      ctx:use(helper, "play")
    end
  end
end

return animals
