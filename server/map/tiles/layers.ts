/*
 * What the tiles hold: layers, kinds and properties as in Protomaps basemaps, schema 4, so that one style draws both.
 * Zooms 0 to 14; browsers enlarge those of 14 when they zoom in further. A zoom below is the first where it appears.
 *
 * layer       kind            zoom  properties besides `kind`
 * ----------  --------------  ----  ---------------------------------------------------------------------------------
 * earth       earth           0     polygon: the rectangle of the extract. What is outside of it is not known.
 * water       ocean           0     polygons, where the extract has a coastline
 *             water, lake     6     polygons, the small ones later; kind_detail: river canal lake reservoir basin pond …
 *             swimming_pool   14    polygon
 *             river           8     line; name (from 12)
 *             canal           10    line; name (from 12)
 *             stream          12    line; name (from 14)
 *             ditch, drain    14    line
 *             ocean, lake, water    point where the name stands: name, min_zoom
 * landuse     see land.ts     6     polygons, the small ones later. Green: park nature_reserve national_park forest wood scrub
 *                                   grass grassland meadow heath village_green garden golf_course cemetery allotments orchard
 *                                   vineyard farmland pitch playground recreation_ground wetland. Built: residential commercial
 *                                   retail industrial railway military hospital school university college kindergarten aerodrome
 *                                   runway pedestrian parking quarry construction. Others: beach sand bare_rock glacier pier zoo
 * roads       highway         4     kind_detail: motorway motorway_link. Properties of all roads:
 *             major_road      6-10  kind_detail: trunk (6) primary (7) secondary (9) tertiary (10), and their …_link (11)
 *             minor_road      12    kind_detail: residential unclassified living_street road raceway (12) service (13, drives 14)
 *             path            13    kind_detail: pedestrian track (12) path cycleway footway steps bridleway (13) corridor pier (14)
 *             rail            9     kind_detail: rail narrow_gauge (9) light_rail subway monorail funicular (11) tram (13);
 *                                   yards and sidings from 13, with service
 *             ferry           9     name
 *             aeroway         10    kind_detail: runway, taxiway (12)
 *             other           14
 *                                   name (highway 11, major_road 12, others 14), ref (from 7, of minor roads from 12),
 *                                   oneway 'yes' (from 14, the line runs in its direction), is_link, is_bridge and is_tunnel (true,
 *                                   from 12), service, sort_rank (the more important the higher; features come in this order,
 *                                   bridges last, tunnels first)
 * buildings   building        13    polygons, at 13 only the large ones
 *             address         14    points: addr_housenumber
 * places      country         1     points: name, kind_detail (the value of place), min_zoom, population, population_rank (0-18),
 *             region          5     capital ('yes', '4' …), sort_key (the less the more important; features come in this order)
 *             locality        4     city (4-7 by population) town (8) village (10) hamlet (12) isolated_dwelling farm locality (13)
 *             macrohood       11    suburb of a city, borough, quarter (12)
 *             neighbourhood   13
 * boundaries  country         0     lines: kind_detail (admin_level, a number: 2)
 *             region          5     3 and 4
 *             county          8     5 and 6
 * pois        aerodrome       10    points: name, min_zoom, iata
 *             station         12    railway stations; bus_station (13)
 *             hospital …      13    hospital university (13) college school park cemetery mall stadium townhall marketplace (14)
 *
 * Polygons have no names: a point with the name stands inside. Where properties are equal, polygons of a tile are one feature of
 * many polygons, and lines are joined.
 */

export const layers = ['earth', 'landuse', 'water', 'buildings', 'roads', 'boundaries', 'places', 'pois'] as const
export type LayerName = (typeof layers)[number]

export type Value = string | number | boolean
export type Properties = Readonly<Record<string, Value>>

export const lastZoom = 14

/** What an element becomes in the tiles. */
export interface Described {
  layer: LayerName
  properties: Properties
  minZoom: number
}
