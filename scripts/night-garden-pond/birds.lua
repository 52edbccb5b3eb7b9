-- The bird whose text is a procedure: content/night-garden-pond/pack.toml.
local birds = {}

-- All others turn over the next card of their deck. Take one that costs 2 dew or more; the others are
-- discarded.
function birds.heron(ctx)
  local shown = {}
  for _, player in ipairs(ctx.others) do
    local them = ctx:as(player)
    them:raise("reshuffled")
    local card = them:top("deck")
    if card then
      them:move(card, "tonight")
      table.insert(shown, card)
    end
  end
  local caught = ctx:choose {
    from = shown,
    where = function(card) return ctx:units(ctx:cost(card, "price")) >= 2 end,
    prompt = "catch",
    if_any = true,
  }
  for _, card in ipairs(shown) do
    if card == caught then
      ctx:move(card, "discard")
    else
      ctx:as(card.owner):move(card, "discard")
    end
  end
end

return birds
