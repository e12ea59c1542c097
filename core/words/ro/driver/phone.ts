import type { phoneWords as english } from '../../en/driver/phone.ts'
import type { Translation } from '../../say.ts'

export const phoneWords = {
  positionTitle: 'Poziția ta',
  positionAsk: 'Trimiți biroului poziția ta?',
  positionWhy:
    'Cât ești în tură, biroul vede unde ești și când ajungi. În afara turei, poziția nu este nici citită, nici trimisă.',
  positionAllow: 'Trimite poziția',
  positionLater: 'Nu azi',
  positionOn: 'Biroul îți vede poziția cât ești în tură și aplicația e pe ecran.',
  positionOff: 'În afara turei, poziția ta nu este citită.',
  positionDenied:
    'Biroul nu îți vede poziția: aplicația nu are voie să o citească. Ca să schimbi asta, deschide în browser setările acestei pagini și permite „Locație”.',
  positionMissing: 'Biroul nu îți vede poziția: acest browser nu o cunoaște.',
  positionLost:
    'Telefonul nu își găsește poziția. Verifică în setările lui dacă locația este pornită. Biroul vede unde ai fost ultima dată.',
  positionBlockedShort: 'Biroul nu îți vede poziția',
  positionLostShort: 'Telefonul nu își găsește poziția',
  keepAwake: 'Ține ecranul aprins',
  keepAwakeLead: 'Cât timp o comandă e pe drum. Consumă mai multă baterie.',
  backToMe: 'Înapoi la „Cont”',
  lockedTitle: 'Poziția cu ecranul blocat',
  lockedLead:
    'Această aplicație îți poate citi poziția doar cât e pe ecran. Traccar Client, o aplicație gratuită, o trimite și când telefonul e blocat.',
  traccarInstall: 'Instalează Traccar Client.',
  traccarGet: 'Descarcă Traccar Client',
  traccarAddress: 'Copiază adresa acestui telefon.',
  traccarCopy: 'Copiază adresa',
  traccarSecret: 'Nu o arăta nimănui: cu ea oricine poate trimite o poziție în numele tău.',
  traccarFields:
    'În Traccar Client deschide setările și introdu următoarele. Numele pot diferi puțin de la o versiune la alta.',
  traccarServerUrl: 'adresa copiată',
  traccarDevice: 'lasă cum este',
  traccarInterval: '{seconds} (dacă apare)',
  traccarOn: 'pornit',
  traccarStart:
    'Permite aplicației Traccar Client să folosească locația întotdeauna, pornește „Continuous tracking” (sau „Service status”) și exclude-o de la economisirea bateriei.',
  traccarEnd:
    'Cât ești în afara turei, serverul nu păstrează nimic din ce trimite Traccar Client. Când te deconectezi din această aplicație, adresa nu mai funcționează.',

  pushTitle: 'Notificări',
  pushAsk: 'Vrei să afli când biroul îți modifică comenzile?',
  pushWhy: 'Telefonul te poate anunța când apar comenzi noi sau modificate, chiar dacă aplicația e închisă.',
  pushAllow: 'Anunță-mă',
  pushNo: 'Nu, mulțumesc',
  pushOn: 'Telefonul te anunță când apar comenzi noi sau modificate, chiar dacă aplicația e închisă.',
  pushDenied:
    'Notificările acestei aplicații sunt blocate. Comenzile noi apar când o deschizi. Ca să schimbi asta, deschide în browser setările acestei pagini și permite „Notificări”.',
  pushMissing: 'Acest browser nu are notificări pentru aplicații închise. Comenzile noi apar când deschizi aplicația.',
  pushFailed:
    'Notificările nu au putut fi activate; aplicația mai încearcă. Până atunci, comenzile noi apar când o deschizi.',
} as const satisfies Translation<typeof english>
