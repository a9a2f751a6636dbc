/** The three word lists behind plan names; their product is above four million (R3.2). */

export const adjectives: readonly string[] = words(`
  able agile airy amber ample apt arch aware azure balmy basic bold brave breezy brief bright brisk broad bronze
  calm candid careful caring casual cheery chief civic civil classic clean clear clever close cobalt cool copper
  coral cosmic cosy crafty cream creative crimson crisp cubic curious daily dapper daring dawn deep deft dense
  direct distant dry dusky eager early earnest easy elastic electric elegant emerald equal even exact fair
  faithful fancy fast festive fine firm first fleet floral fluent flying fond formal fossil frank free fresh
  friendly frosty full gentle giant gifted glad gleaming global glossy golden good graceful grand granite
  grateful green handy happy hardy hazel hearty helpful hidden high honest hopeful humble icy ideal indigo
  inland ivory jade jolly joyful keen kind lasting late lavish leafy lean legal level light lilac limber linear
  liquid little lively living local lofty logical long loud loyal lucid lucky lunar magic main major marble
  mellow merry metric mighty mild minor mint misty modern modest moonlit mossy muted narrow native natural navy
  neat nimble noble north novel oaken ocean olive onyx open optic orange orderly organic oval pale paper patient
  peaceful pearl pewter placid plain playful pleasant plucky plum polar polite prime proper proud pure quick
  quiet rapid rare ready real regal resolute rich robust rolling rosy round royal ruby rugged russet rustic safe
  sage sandy scarlet scenic secure sepia serene shady sharp shining shiny short silent silken silver simple
  sincere sleek slender slow small smart smooth snowy snug social soft solar solid sonic sound spare sparkling
  spicy stable starry steady steel stellar still stout strong sturdy subtle sunlit sunny super supple sure swift
  tall tame tawny teal tender thorough thrifty tidal tidy timely tiny topaz tranquil trim true trusty twin ultra
  umber unified upbeat upper urban useful valid vast velvet verdant vibrant violet vital vivid warm wary wavy
  west whole wide wild willing windy winged wise witty wooden woolly worthy young zesty
`);

export const actions: readonly string[] = words(`
  anchoring asking baking balancing beaming bending binding blending blooming boarding bouncing bowing braiding
  branching bridging bringing brushing building calling camping carding caring carving casting catching charting
  chasing chiming choosing circling clearing climbing closing coasting coding coining combing cooking counting
  crafting crossing curling cycling dancing daring darting dashing diving docking drafting drawing dreaming
  drifting drilling driving drumming dusting echoing edging etching exploring fading farming feeding filing
  filling finding fishing fitting fixing floating flowing flying folding forging forming framing gaining
  gathering gazing giving gliding glowing going grading grazing greeting growing guarding guiding hatching
  hauling healing heating helping hiding hiking holding hopping hovering humming hunting joining judging
  juggling jumping keeping kindling kneading knitting landing lapping lasting laughing layering leading leaning
  leaping learning lending lifting lighting linking listening living loading logging looking looping making
  mapping marching marking matching measuring meeting mending milling minding mining mixing molding mooring
  moving mowing naming nesting netting noting opening pacing packing painting pairing parking parsing passing
  patching pausing picking piloting pinning piping pitching placing planning planting playing plotting plowing
  pointing polishing posting pouring pressing printing probing pulling purring pushing puzzling racing raising
  ranging reaching reading resting riding ringing rising roaming roaring rocking rolling rooting roping rounding
  rowing running rushing sailing saving scaling scanning scouting seeding seeking sending serving setting sewing
  shaping sharing shifting shining sifting signing singing sitting skating sketching skiing skipping sliding
  smiling snapping soaring solving sorting sowing spelling spinning splicing springing squaring stacking
  standing starting staying steering stepping stirring storing streaming striding strolling studying surfing
  swaying sweeping swimming swinging tacking talking tapping tasting teaching telling tending testing thinking
  tilting timing tossing touring towing tracing tracking trading trailing training treading trekking tuning
  turning twining typing waiting waking walking wandering warming washing watching watering waving waxing
  weaving weighing whirling whistling winding winking wishing working wrapping writing yielding zooming
`);

export const nouns: readonly string[] = words(`
  abacus acorn alcove almond anchor antler anvil apple apricot arbor arch arrow ash aspen atlas attic aurora
  avocado awning axle badger bagel balcony bamboo banjo barley barn basil basin basket bay beacon beaver beech
  beetle bell bench berry birch bison blossom boat bobcat boulder bramble brass breeze brick bridge brook broom
  bucket buffalo bugle cabin cactus camel camera canal candle canoe canvas canyon caravan cardinal carrot cart
  cascade castle cavern cedar cello chalk chapel cherry chestnut chimney cider cinder citrus clam clay cliff
  clock cloud clover coast cobble cocoa comet compass condor copse coral cottage cotton cougar cove coyote crane
  crater creek cricket crocus crow crown crystal current cypress daisy dale dawn deer delta desert dew dolphin
  donkey door dove dragonfly drum duck dune eagle easel echo egret elk elm ember engine estuary falcon feather
  fern ferry fiddle field fig finch fir firefly fjord flag flame flint flute forest forge fossil fountain fox
  frost galaxy garden garnet gate gazelle geyser ginger glacier glade glen goose gorge grape grove guitar gull
  hamlet harbor hare harp harvest hawk hazel heath hedge heron hickory hill hive hollow honey horizon horse
  house ibex inlet iris island ivy jasmine jay jetty juniper kayak kelp kernel kestrel kettle kite kiwi koala
  lagoon lake lantern larch lark laurel lavender leaf ledge lemon lens lichen lighthouse lily lime linden lion
  loom lotus lynx magnet magpie mango maple marble marsh meadow melon mesa meteor mill mint mirror moon moor
  moss moth mountain mulberry nebula nest nettle newt nutmeg oak oasis oat ocean olive opal orange orbit orchard
  orchid osprey otter owl oyster paddle palm panda panther papaya paper parrot path peach peak pear pearl pebble
  pelican penguin pepper petal pheasant piano pier pigeon pine pinnacle planet plateau plaza plum pocket pond
  poplar poppy porch prairie prism puffin pulley quail quarry quartz quill quince rabbit raccoon radish raft
  rain raven reed reef ridge river robin rocket rose rowan saddle saffron sage sail salmon sand sapling satchel
  savanna scarf sea seal sequoia shell shore shrub signal sky slate sleigh sloop snow spark sparrow spice spring
  spruce squirrel star statue steeple stone stork stream summit sun sunset surf swallow swan sycamore table
  tangerine teapot temple tern terrace thicket thistle thrush thunder thyme tide tiger timber toast tower trail
  train tree trellis trout tulip tundra tunnel turnip turtle valley vine viola violet volcano wagon walnut
  walrus warbler water wave weasel well whale wharf wheat wheel willow wind window wolf wombat wood wren yarrow
  zebra zenith zephyr zinnia
`);

function words(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}
