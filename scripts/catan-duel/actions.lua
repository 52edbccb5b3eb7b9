-- Action cards whose text is a procedure, by the id of the card: content/catan-duel/cards/actions.toml.
local actions = {}

local function swap(ctx, one, other)
  local here, there = one.cell, other.cell
  ctx:move(one, there)
  ctx:move(other, here)
end

-- Whether an expansion may stand where another one is.
local function fits(ctx, one, other)
  return one ~= other and (other.at_city or not one.needs_city) and (one.at_city or not other.needs_city)
end

-- The card under an expansion, which goes along with it; the expansion itself if none is there.
local function base_of(ctx, card)
  return card.host and ctx:is(card.host, "expansion") and card.host or card
end

local function swap_regions(ctx)
  local regions = ctx:in_play("region", ctx.me)
  local one = ctx:choose { from = regions, prompt = "swap_first" }
  local others = ctx:filter(regions, function(region) return region ~= one end)
  swap(ctx, one, ctx:choose { from = others, prompt = "swap_second" })
end

-- The cards with which an expansion can be swapped.
local function partners(ctx, movable, one)
  return ctx:filter(movable, function(other) return fits(ctx, one, other) end)
end

-- Swap two of your regions, with what lies on them, or two of your expansions. Both must be allowed where they come to stand.
function actions.relocation(ctx)
  local movable = ctx:filter(ctx:in_play("expansion", ctx.me), function(card) return card.movable end)
  local firsts = ctx:filter(movable, function(card) return #partners(ctx, movable, card) > 0 end)
  if #firsts == 0 or ctx:either { "swap_regions", "swap_cards" } == "swap_regions" then
    swap_regions(ctx)
    return
  end
  local one = ctx:choose { from = firsts, prompt = "swap_first" }
  local other = ctx:choose { from = partners(ctx, movable, one), prompt = "swap_second" }
  swap(ctx, base_of(ctx, one), base_of(ctx, other))
end

-- Up to so many resources of one kind, all onto one of your cards that keeps them; the opponent says where they come from.
function actions.demand_one_kind(ctx, most)
  local me, rival = ctx.me, ctx.opponent
  local kinds = ctx:filter(ctx:members("goods"), function(what) return rival[what] > 0 and ctx:room(what) > 0 end)
  local what = ctx:choose_resource { from = kinds, prompt = "raid_kind" }
  local places = ctx:in_play("region", me)
  for _, expansion in ipairs(ctx:in_play("region_expansion", me)) do
    table.insert(places, expansion)
  end
  places = ctx:filter(places, function(place) return ctx:room(what, place) > 0 end)
  local place = ctx:choose { from = places, prompt = "raid_place" }
  for taken = 1, math.min(most, ctx:room(what, place), rival[what]) do
    if not ctx:choose_resource { from = { what }, prompt = "raid_more", optional = taken > 1 } then
      return
    end
    ctx:as(rival):store(what, 1, place)
  end
end

return actions
