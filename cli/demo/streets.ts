import type { Point } from '../../core/geo.ts'

export const areas = ['centru', 'nord', 'est', 'sud', 'vest'] as const
export type Area = (typeof areas)[number]

export interface Street {
  name: string
  area: Area
  sector: number
  /** The positions of the first and the last house. */
  from: Point
  to: Point
  lastNumber: number
}

type Row = [name: string, sector: number, fromLat: number, fromLng: number, toLat: number, toLng: number, last: number]

/** Streets of Bucharest as straight lines. Good enough for a demo, and for nothing else. */
const rows: Record<Area, Row[]> = {
  centru: [
    ['Calea Victoriei', 1, 44.4303, 26.0985, 44.4518, 26.0868, 222],
    ['Bulevardul General Gheorghe Magheru', 1, 44.4395, 26.1008, 44.4458, 26.0977, 43],
    ['Bulevardul Nicolae Bălcescu', 1, 44.4358, 26.1022, 44.4393, 26.1009, 35],
    ['Strada Lipscani', 3, 44.4318, 26.0965, 44.4325, 26.104, 90],
    ['Calea Moșilor', 2, 44.4328, 26.107, 44.449, 26.1245, 320],
    ['Bulevardul Carol I', 2, 44.4357, 26.104, 44.4408, 26.122, 76],
    ['Bulevardul Dacia', 1, 44.4478, 26.088, 44.4455, 26.117, 153],
    ['Strada Polonă', 1, 44.444, 26.101, 44.4525, 26.103, 115],
    ['Calea Dorobanților', 1, 44.4455, 26.099, 44.461, 26.096, 239],
    ['Bulevardul Unirii', 3, 44.4272, 26.09, 44.4275, 26.124, 80],
    ['Bulevardul Regina Elisabeta', 5, 44.4353, 26.1015, 44.435, 26.088, 75],
    ['Strada Știrbei Vodă', 1, 44.4392, 26.0935, 44.4385, 26.079, 150],
    ['Calea Călărașilor', 3, 44.43, 26.109, 44.4325, 26.133, 320],
    ['Calea Plevnei', 1, 44.436, 26.086, 44.444, 26.064, 240],
  ],
  nord: [
    ['Bulevardul Aviatorilor', 1, 44.4535, 26.087, 44.466, 26.0865, 86],
    ['Șoseaua Pipera', 1, 44.4765, 26.102, 44.485, 26.115, 61],
    ['Bulevardul Barbu Văcărescu', 2, 44.4545, 26.1065, 44.477, 26.102, 241],
    ['Calea Floreasca', 1, 44.456, 26.101, 44.4765, 26.101, 246],
    ['Bulevardul Primăverii', 1, 44.464, 26.087, 44.4655, 26.096, 57],
    ['Șoseaua Nordului', 1, 44.477, 26.0855, 44.472, 26.0975, 114],
    ['Bulevardul Ion Mihalache', 1, 44.4535, 26.08, 44.472, 26.056, 340],
    ['Calea Griviței', 1, 44.445, 26.085, 44.464, 26.06, 400],
    ['Șoseaua București-Ploiești', 1, 44.485, 26.076, 44.514, 26.085, 135],
    ['Bulevardul Bucureștii Noi', 1, 44.473, 26.054, 44.493, 26.031, 190],
    ['Strada Jiului', 1, 44.479, 26.052, 44.485, 26.041, 163],
    ['Strada Turda', 1, 44.456, 26.066, 44.464, 26.071, 127],
    ['Bulevardul Mareșal Averescu', 1, 44.465, 26.072, 44.4735, 26.069, 15],
  ],
  est: [
    ['Șoseaua Colentina', 2, 44.452, 26.1275, 44.472, 26.159, 450],
    ['Șoseaua Pantelimon', 2, 44.4425, 26.142, 44.442, 26.179, 354],
    ['Bulevardul Basarabia', 3, 44.4325, 26.14, 44.4325, 26.179, 256],
    ['Șoseaua Mihai Bravu', 2, 44.45, 26.1265, 44.421, 26.134, 480],
    ['Bulevardul Camil Ressu', 3, 44.421, 26.141, 44.4165, 26.163, 60],
    ['Bulevardul 1 Decembrie 1918', 3, 44.418, 26.165, 44.429, 26.177, 60],
    ['Bulevardul Nicolae Grigorescu', 3, 44.432, 26.156, 44.415, 26.165, 60],
    ['Strada Liviu Rebreanu', 3, 44.4225, 26.148, 44.419, 26.168, 48],
    ['Bulevardul Chișinău', 2, 44.435, 26.172, 44.4435, 26.172, 20],
    ['Bulevardul Ferdinand I', 2, 44.4415, 26.123, 44.446, 26.136, 150],
    ['Șoseaua Iancului', 2, 44.4405, 26.129, 44.4425, 26.142, 120],
    ['Strada Doamna Ghica', 2, 44.456, 26.133, 44.459, 26.15, 60],
    ['Șoseaua Ștefan cel Mare', 2, 44.452, 26.101, 44.45, 26.126, 240],
    ['Bulevardul Lacul Tei', 2, 44.452, 26.115, 44.461, 26.12, 130],
    ['Calea Vitan', 3, 44.4265, 26.121, 44.413, 26.133, 260],
    ['Bulevardul Theodor Pallady', 3, 44.411, 26.168, 44.409, 26.2, 60],
  ],
  sud: [
    ['Șoseaua Giurgiului', 4, 44.401, 26.092, 44.373, 26.096, 300],
    ['Șoseaua Olteniței', 4, 44.408, 26.119, 44.379, 26.141, 260],
    ['Bulevardul Tineretului', 4, 44.4125, 26.104, 44.409, 26.113, 60],
    ['Calea Văcărești', 4, 44.424, 26.113, 44.404, 26.119, 391],
    ['Șoseaua Berceni', 4, 44.394, 26.121, 44.374, 26.139, 200],
    ['Bulevardul Constantin Brâncoveanu', 4, 44.403, 26.1, 44.394, 26.119, 120],
    ['Calea Șerban Vodă', 4, 44.4195, 26.0975, 44.403, 26.095, 280],
    ['Calea Rahovei', 5, 44.4255, 26.09, 44.41, 26.06, 476],
    ['Șoseaua Alexandriei', 5, 44.4065, 26.05, 44.394, 26.028, 220],
    ['Bulevardul George Coșbuc', 5, 44.4195, 26.095, 44.417, 26.084, 40],
    ['Șoseaua Viilor', 5, 44.4165, 26.084, 44.405, 26.091, 103],
    ['Bulevardul Mărășești', 4, 44.4198, 26.097, 44.424, 26.11, 127],
  ],
  vest: [
    ['Bulevardul Iuliu Maniu', 6, 44.4345, 26.052, 44.435, 25.984, 600],
    ['Strada Drumul Taberei', 6, 44.421, 26.045, 44.42, 26.008, 120],
    ['Bulevardul Timișoara', 6, 44.4265, 26.055, 44.427, 25.995, 100],
    ['Șoseaua Virtuții', 6, 44.435, 26.028, 44.446, 26.044, 150],
    ['Calea Crângași', 6, 44.448, 26.057, 44.453, 26.043, 100],
    ['Bulevardul Ghencea', 5, 44.413, 26.054, 44.411, 26.018, 130],
    ['Strada Brașov', 6, 44.429, 26.038, 44.416, 26.035, 60],
    ['Bulevardul Uverturii', 6, 44.44, 26.024, 44.441, 25.992, 220],
    ['Bulevardul Preciziei', 6, 44.43, 25.997, 44.428, 25.982, 40],
    ['Prelungirea Ghencea', 6, 44.411, 26.015, 44.405, 25.985, 300],
    ['Splaiul Independenței', 6, 44.436, 26.078, 44.444, 26.057, 319],
  ],
}

export const streets: Street[] = areas.flatMap((area) =>
  rows[area].map(([name, sector, fromLat, fromLng, toLat, toLng, lastNumber]) => ({
    name,
    area,
    sector,
    from: { lat: fromLat, lng: fromLng },
    to: { lat: toLat, lng: toLng },
    lastNumber,
  })),
)

/** The position of a house along the street, even numbers on one side and odd ones on the other. */
export function placeOf({ from, to, lastNumber }: Street, number: number): Point {
  const along = Math.min(1, number / lastNumber)
  const side = number % 2 === 0 ? 0.00015 : -0.00015
  const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5
  return {
    lat: round(from.lat + (to.lat - from.lat) * along + side),
    lng: round(from.lng + (to.lng - from.lng) * along + side),
  }
}
