-- Cleaning, whatever it follows from: content/skara-brae/game/events.toml.
local cleaning = {}

-- So many times: discard a waste, or move the slider over three empty columns, or stop.
function cleaning.clean_up(ctx, most)
  local me = ctx.me
  for _ = 1, most do
    ctx:pause()
    local ways = {}
    if me.waste > 0 then
      table.insert(ways, "drop_waste")
    end
    if me.empty_spaces >= 3 then
      table.insert(ways, "slide_left")
    end
    table.insert(ways, "stop_cleaning")
    local way = #ways > 1 and ctx:either(ways)
    if way == "drop_waste" then
      ctx:pay("waste")
    elseif way == "slide_left" then
      ctx:set("slider", me.slider - 1)
    elseif way == "stop_cleaning" then
      return
    end
  end
end

return cleaning
