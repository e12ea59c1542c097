/** The colours of a map. Paler than what is drawn on top, because the pins matter more. */
export interface Paints {
  land: string
  built: string
  green: string
  wood: string
  sand: string
  water: string
  building: string
  buildingEdge: string
  path: string
  street: Road
  through: Road
  main: Road
  highway: Road
  rail: string
  ferry: string
  border: string
  mark: string
  name: string
  softName: string
  waterName: string
  greenName: string
  halo: string
  shield: string
}

/** A road is seen by its edge, or by its middle, whichever stands out more from the land. */
interface Road {
  middle: string
  edge: string
}

/** `paints.test.ts` measures that roads can be seen and names read. */
export const paints: Record<'light' | 'dark', Paints> = {
  light: {
    land: '#f4f2ed',
    built: '#ebe7df',
    green: '#d5e8c6',
    wood: '#c3dcb2',
    sand: '#f3e9c9',
    water: '#a8d0e8',
    building: '#dcd6cb',
    buildingEdge: '#c6beb0',
    path: '#b5a996',
    street: { middle: '#ffffff', edge: '#a69e8f' },
    through: { middle: '#fdf2bd', edge: '#b8a25c' },
    main: { middle: '#fbdc8d', edge: '#b08636' },
    highway: { middle: '#f6b571', edge: '#a8662a' },
    rail: '#8f8a94',
    ferry: '#3f7ea8',
    border: '#85749b',
    mark: '#6f6a60',
    name: '#2f3744',
    softName: '#575248',
    waterName: '#215878',
    greenName: '#3a6130',
    halo: '#fbfaf7',
    shield: '#ffffff',
  },
  dark: {
    land: '#131a26',
    built: '#1a2331',
    green: '#132b1d',
    wood: '#12291d',
    sand: '#2b2a22',
    water: '#123c5c',
    building: '#242f41',
    buildingEdge: '#34425a',
    path: '#4a5568',
    street: { middle: '#495872', edge: '#0b1018' },
    through: { middle: '#5a6986', edge: '#0b1018' },
    main: { middle: '#786d49', edge: '#0b1018' },
    highway: { middle: '#96703d', edge: '#0b1018' },
    rail: '#5d687e',
    ferry: '#4f8ab4',
    border: '#77709a',
    mark: '#aeb8c8',
    name: '#d3dae6',
    softName: '#a3aebf',
    waterName: '#8fc3e6',
    greenName: '#8fc49c',
    halo: '#0b111b',
    shield: '#1d2736',
  },
}
