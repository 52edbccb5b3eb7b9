-- Action tiles whose text is a procedure, by the id of the tile: content/skara-brae/cards/tiles.toml.
local tiles = {}

-- My tiles for which something holds.
local function my_tiles(ctx, fits)
  return ctx:filter(ctx:in_play("tile", ctx.me), fits)
end

-- The bottom effect of a settler, if its player wants it and it can be done.
local function may_use_bottom(ctx, settler)
  if ctx:can(settler, "bottom") and ctx:confirm("use_bottom") then
    ctx:use(settler, "bottom")
  end
end

-- 2 food or bones, after which enough of one kind is left for the price.
local function pay_fuel_but_keep(ctx, price)
  for _ = 1, 2 do
    local left = { food = ctx.me.food, bone = ctx.me.bone }
    local units = ctx:filter(ctx:members("fuel"), function(unit)
      local food, bone = left.food, left.bone
      if unit == "bone" then
        bone = bone - 1
      else
        food = food - 1
      end
      return ctx.me[unit] > 0 and (food >= price or bone >= price)
    end)
    ctx:pay(ctx:choose_resource { from = units, prompt = "build_fuel" })
  end
end

-- Furnish or trade for 2 resources fewer. Flipped: for 3 fewer.
function tiles.build_tile(ctx)
  local me, fewer = ctx.me, ctx.self.build_fewer
  local price = me.next_price - fewer
  if ctx.self.build_furnishes or ctx.self.build_trades then
    ctx:pay("fuel", 2)
  else
    pay_fuel_but_keep(ctx, price)
  end
  local can_trade = me.trade < 7 and ctx:any(ctx:members("spendable"), function(what) return me[what] >= price end)
  local way = ctx.self.build_furnishes and "build_furnish" or "build_trade"
  if ctx.self.build_furnishes and can_trade then
    way = ctx:either { "build_furnish", "build_trade" }
  end
  ctx:raise(way == "build_furnish" and "furnish_by" or "trade_by", fewer)
end

-- Draw 2 village cards and keep 1; a settler is placed without harvest and bottom effect. Flipped: draw 3, and the bottom
-- effect may be used.
function tiles.explore_tile(ctx)
  local was_flipped = ctx.self.flipped
  for _ = 1, was_flipped and 3 or 2 do
    ctx:raise("draw_one")
  end
  ctx:pause()
  local card = ctx:choose { from = "drawn", prompt = "explored" }
  for _, other in ipairs(ctx:pieces("drawn")) do
    if other ~= card then
      ctx:move(other, "village_discard")
    end
  end
  if not ctx:is(card, "settler") then
    ctx:raise("keep_thing", card)
    return
  end
  ctx:move(card, "people")
  ctx:pause()
  if was_flipped then
    may_use_bottom(ctx, card)
  end
end

-- Flip one of your tiles for nothing. Flipped: then you may pay 1 food to carry out its action.
function tiles.innovate_tile(ctx)
  local was_flipped = ctx.self.flipped
  local fronts = my_tiles(ctx, function(tile) return not tile.flipped end)
  local tile = ctx:choose { from = fronts, prompt = "flip_which" }
  ctx:flip(tile)
  ctx:pause()
  if was_flipped and tile.usable_for_food and ctx:can_pay("food") and ctx:confirm("act_at_once") then
    ctx:pay("food")
    ctx:raise("act_on", tile)
  end
end

-- Take the top harvest or the last bottom effect of one environment. Flipped: the harvest, and then the bottom effect if
-- you like.
function tiles.muster_tile(ctx)
  local was_flipped, me = ctx.self.flipped, ctx.me
  local places = my_tiles(ctx, function(tile) return tile.is_gather and tile.icons + me.knife > 0 end)
  local tile = ctx:choose { from = places, prompt = "muster_where" }
  local newest = ctx:first(ctx:in_play("settler", me), function(settler)
    return settler.newest and settler.env == tile.env
  end)
  if was_flipped then
    ctx:raise("top_harvest", tile)
    ctx:pause()
    if newest then
      may_use_bottom(ctx, newest)
    end
  elseif newest and ctx:can(newest, "bottom") and ctx:either { "muster_harvest", "muster_bottom" } == "muster_bottom" then
    ctx:use(newest, "bottom")
  else
    ctx:raise("top_harvest", tile)
  end
end

-- Gain a spindle, then 1 wool for each spindle you have. Flipped: then you may pay 3 wool for a roof.
function tiles.spin_wool_tile(ctx)
  ctx:move(ctx:first(ctx:pieces("spindle_supply")), "shelter")
  ctx:gain("wool", #ctx:in_play("spindle", ctx.me))
  ctx:pause()
  if ctx.self.flipped and ctx:can_pay("wool", 3) and ctx:confirm("roof_for_wool") then
    ctx:pay("wool", 3)
    ctx:raise("roof_gained")
  end
end

return tiles
