import { between, chanceOf, happens, pick, type Random } from '../cli/demo/chance.ts'
import { drawUnit } from '../core/optimise/random.ts'
import { connectAsOwner } from '../server/db/migrate.ts'
import { makePartitions } from '../server/map/register/make/partitions.ts'
import type { Place } from '../server/map/register/make/places.ts'
import type { Street } from '../server/map/register/make/street.ts'
import { openRegisterWriter } from '../server/map/register/make/write.ts'
import type { House } from '../server/map/register/numbers.ts'
import { readRegions, townsWithin } from '../server/outside/geocoders/embedded.ts'
import type { KnownHouse } from './spellings.ts'

/*
 * A register as large as a country, by seed, without an extract of that size: the towns of the gazetteer and villages with their names,
 * and in each the streets that every town has, more of them the larger it is. It is what makes a search slow: few names, each of them in
 * thousands of places.
 */

const romania = [20.2, 43.6, 29.8, 48.3] as const
const mostPlaces = 13_000
const mostStreets = 4_000
const mostPerStreet = 200

const common =
  `Principală Morii Bisericii Școlii Florilor Mihai+Eminescu Libertății Unirii Trandafirilor Gării Teilor Salcâmilor
  Tudor+Vladimirescu Nicolae+Bălcescu Avram+Iancu Ștefan+cel+Mare 1+Decembrie+1918 Crinului Viilor Plopilor Primăverii Păcii Independenței
  Victoriei Republicii George+Enescu Ion+Creangă Vasile+Alecsandri Alexandru+Ioan+Cuza George+Coșbuc Liviu+Rebreanu Octavian+Goga Izvorului
  Mihai+Viteazu Decebal Traian Horea Cloșca Crișan Zorilor Liliacului Lalelelor Rozelor Bujorului Garoafei Narciselor Cireșilor Vișinilor
  Merilor Nucului Castanilor Stejarului Bradului Pinului Mesteacănului Fagului Arțarului Câmpului Pădurii Livezilor Grădinilor Stadionului
  Fabricii Uzinei Cimitirului Târgului Pieței Spitalului Tineretului Muncii Armoniei Speranței Luminii Soarelui Lunii Stelelor
  Regele+Ferdinand Regina+Maria Carol+I General+Magheru Dr.+Victor+Babeș Aurel+Vlaicu Traian+Vuia Lucian+Blaga Nichita+Stănescu
  Constantin+Brâncuși Nicolae+Iorga Ion+Luca+Caragiale Ion+C.+Brătianu Bogdan+Petriceicu+Hasdeu Sfântul+Gheorghe Sfânta+Maria
  Sfântul+Nicolae 22+Decembrie+1989 16+Decembrie+1989 1+Mai 9+Mai 8+Martie Mărășești Mărăști Oituz Plevnei Griviței Dunării Oltului
  Mureșului Argeșului Siretului Prutului Timișului Bucegi Făgăraș Ceahlău Retezat Parâng Negoiu Transilvaniei Moldovei Banatului`
    .split(/\s+/)
    .map((name) => name.replaceAll('+', ' '))
const firstNames =
  'Ion Gheorghe Nicolae Vasile Constantin Alexandru Mihai Dimitrie Petre Grigore Emil Traian Aurel Victor Iuliu Simion Radu Dan'.split(
    ' ',
  )
const beginnings =
  'Băl Cor Dră Flo Geor Hă Ior Lă Mun Nea Pop Rus Săn Tăn Ursu Văc Zam Brâ Cre Dum Fil Gro Mol Pet Sto Stan Vlă Bog Cio Mân'.split(
    ' ',
  )
const endings = 'escu eanu oiu aru ița an aș ea u ache ulea uț ovici eni oveanu andru'.split(' ')
const kinds = [
  'Strada',
  'Strada',
  'Strada',
  'Strada',
  'Strada',
  'Strada',
  'Aleea',
  'Calea',
  'Bulevardul',
  'Intrarea',
  'Fundătura',
] as const

/** One in so many houses is remembered, to be asked for. */
export async function makeGreatRegister(url: string, registerId: number, seed: number, houses: number, asked: number) {
  const random = chanceOf(seed, 'register')
  const places = await makePlaces(random)
  const towns = places.filter(({ kind }) => kind !== 'area')
  const inhabitants = towns.reduce((sum, { population }) => sum + population, 0)
  const known: KnownHouse[] = []
  const every = Math.max(1, Math.floor(houses / asked))
  const client = await connectAsOwner(url, 'waybill bench')
  try {
    await client.query(`set work_mem = '64MB'; set client_min_messages = 'warning'`)
    await makePartitions(client, registerId)
    const register = openRegisterWriter(client, registerId)
    let made = 0
    for (const town of towns) {
      const share = Math.max(4, Math.round((houses * town.population) / inhabitants))
      const count = Math.min(mostStreets, Math.ceil(share / 30))
      const ofTown = Math.min(share, count * mostPerStreet)
      for (const name of namesOf(random, count)) {
        const street = makeStreet(random, name, town, Math.ceil(ofTown / count))
        await register.addStreet(street)
        for (const house of street.houses) {
          made += 1
          if (made % every === 0) known.push(knownHouse(street, town, house))
        }
      }
    }
    return { counts: await register.finish(places), houses: known }
  } finally {
    await client.end()
  }
}

/** Counties, the towns of the gazetteer, and villages that are called like others. */
async function makePlaces(random: Random): Promise<Place[]> {
  const places: Place[] = []
  const add = (place: Omit<Place, 'id' | 'otherNames' | 'country'>) =>
    places.push({ id: places.length + 1, otherNames: [], country: 'RO', ...place })
  const towns = (await townsWithin(romania)).filter(({ country }) => country === 'RO')
  for (const name of (await readRegions('RO')).values()) {
    const { lat, lng } = pick(random, towns)
    add({ name: `Județul ${name}`, kind: 'area', population: 0, lat: lat * 1e6, lng: lng * 1e6, areas: [] })
  }
  const counties = [...places]
  const settle = (name: string, population: number, lat: number, lng: number) => {
    const kind = population > 100_000 ? 'city' : population > 10_000 ? 'town' : 'village'
    const far = (county: Place) => (county.lat / 1e6 - lat) ** 2 + (county.lng / 1e6 - lng) ** 2
    const county = counties.reduce((best, one) => (far(one) < far(best) ? one : best))
    add({ name, kind, population, lat: Math.round(lat * 1e6), lng: Math.round(lng * 1e6), areas: [county.id] })
  }
  for (const { name, population, lat, lng } of towns) settle(name, Math.max(300, population), lat, lng)
  while (places.length < mostPlaces) {
    const { name } = pick(random, towns)
    const near = pick(random, towns)
    settle(name, between(random, 100, 900), near.lat + drawUnit(random) / 5, near.lng + drawUnit(random) / 5)
  }
  return places
}

/** The names that everybody has come first, and one town has none twice. */
function namesOf(random: Random, count: number): Set<string> {
  const names = new Set<string>()
  while (names.size < count) {
    const isCommon = happens(random, names.size < common.length / 2 ? 0.9 : 0.2)
    const name = isCommon
      ? (common[Math.floor(common.length * drawUnit(random) ** 2)] as string)
      : `${pick(random, firstNames)} ${pick(random, beginnings)}${happens(random, 0.4) ? pick(random, ['rin', 'tă', 'mi', 'lo', 'gă']) : ''}${pick(random, endings)}`
    names.add(`${pick(random, kinds)} ${name}`)
  }
  return names
}

function makeStreet(random: Random, name: string, town: Place, count: number): Street {
  const reach = Math.min(80_000, 3_000 + 40 * Math.sqrt(town.population))
  const houses: House[] = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    suffix: index > 0 && happens(random, 0.03) ? 'a' : '',
    lat: index % 2 === 0 ? 120 : -120,
    lng: Math.round(index / 2) * 250,
    isGuess: false,
    isTwice: false,
    postalCode: null,
  }))
  const postalCode = String(between(random, 100_000, 999_999))
  return {
    name,
    otherNames: [],
    placeId: town.id,
    alsoIn: [],
    areaId: town.areas[0] ?? null,
    postalCode,
    lat: town.lat + between(random, -reach, reach),
    lng: town.lng + between(random, -reach, reach),
    reachMetres: count * 10,
    line: [0, 0, 0, count * 125],
    houses,
    postalCodes: [postalCode],
  }
}

const knownHouse = (street: Street, town: Place, { number, suffix, lat, lng }: House): KnownHouse => ({
  id: `${town.id} ${street.name} ${number}${suffix}`,
  street: street.name,
  number: `${number}${suffix}`,
  city: town.name,
  postalCode: street.postalCode,
  otherName: null,
  lat: (street.lat + lat) / 1e6,
  lng: (street.lng + lng) / 1e6,
})
