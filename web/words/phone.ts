import type { Words } from './words.ts'

/** What the driver's app asks of the phone. */
export const phoneWords = {
  positionTitle: ['Your position', 'Poziția ta'],
  positionAsk: ['Share your position with the office?', 'Trimiți biroului poziția ta?'],
  positionWhy: [
    'While you are on duty, the office sees where you are and when you will arrive. Off duty, your position is neither read nor sent.',
    'Cât ești în tură, biroul vede unde ești și când ajungi. În afara turei, poziția nu este nici citită, nici trimisă.',
  ],
  positionAllow: ['Share position', 'Trimite poziția'],
  positionLater: ['Not today', 'Nu azi'],
  positionOn: [
    'The office sees your position while you are on duty and this app is on the screen.',
    'Biroul îți vede poziția cât ești în tură și aplicația e pe ecran.',
  ],
  positionOff: ['Off duty, your position is not read.', 'În afara turei, poziția ta nu este citită.'],
  positionDenied: [
    'The office cannot see your position: this app is not allowed to read it. To change that, open the settings of this page in your browser and allow “Location”.',
    'Biroul nu îți vede poziția: aplicația nu are voie să o citească. Ca să schimbi asta, deschide în browser setările acestei pagini și permite „Locație”.',
  ],
  positionMissing: [
    'The office cannot see your position: this browser does not know it.',
    'Biroul nu îți vede poziția: acest browser nu o cunoaște.',
  ],
  positionLost: [
    'Your phone does not find its position. Check that location is switched on in its settings. The office sees where you were last.',
    'Telefonul nu își găsește poziția. Verifică în setările lui dacă locația este pornită. Biroul vede unde ai fost ultima dată.',
  ],
  positionBlockedShort: ['The office cannot see your position', 'Biroul nu îți vede poziția'],
  positionLostShort: ['Your phone does not find its position', 'Telefonul nu își găsește poziția'],
  keepAwake: ['Keep the screen on', 'Ține ecranul aprins'],
  keepAwakeLead: [
    'While a task is in transit. Uses more battery.',
    'Cât timp o comandă e pe drum. Consumă mai multă baterie.',
  ],
  backToMe: ['Back to “Me”', 'Înapoi la „Cont”'],
  lockedTitle: ['Report with a locked screen', 'Poziția cu ecranul blocat'],
  lockedLead: [
    'This app can read your position only while it is on the screen. Traccar Client, a free app, also reports it while the phone is locked.',
    'Această aplicație îți poate citi poziția doar cât e pe ecran. Traccar Client, o aplicație gratuită, o trimite și când telefonul e blocat.',
  ],
  traccarInstall: ['Install Traccar Client.', 'Instalează Traccar Client.'],
  traccarGet: ['Get Traccar Client', 'Descarcă Traccar Client'],
  traccarAddress: ['Copy the address of this phone.', 'Copiază adresa acestui telefon.'],
  traccarCopy: ['Copy the address', 'Copiază adresa'],
  traccarSecret: [
    'Show it to nobody: with it, anyone can report a position in your name.',
    'Nu o arăta nimănui: cu ea oricine poate trimite o poziție în numele tău.',
  ],
  traccarFields: [
    'In Traccar Client, open the settings and enter this. Names can differ a little between versions.',
    'În Traccar Client deschide setările și introdu următoarele. Numele pot diferi puțin de la o versiune la alta.',
  ],
  traccarServerUrl: ['the address you copied', 'adresa copiată'],
  traccarDevice: ['leave as it is', 'lasă cum este'],
  traccarInterval: ['{seconds} (if shown)', '{seconds} (dacă apare)'],
  traccarOn: ['on', 'pornit'],
  traccarStart: [
    'Allow Traccar Client to use the location always, switch on “Continuous tracking” (or “Service status”), and exclude it from battery saving.',
    'Permite aplicației Traccar Client să folosească locația întotdeauna, pornește „Continuous tracking” (sau „Service status”) și exclude-o de la economisirea bateriei.',
  ],
  traccarEnd: [
    'While you are off duty, the server stores nothing of what Traccar Client sends. When you sign out of this app, the address stops working.',
    'Cât ești în afara turei, serverul nu păstrează nimic din ce trimite Traccar Client. Când te deconectezi din această aplicație, adresa nu mai funcționează.',
  ],

  pushTitle: ['Notifications', 'Notificări'],
  pushAsk: ['Be told when the office changes your tasks?', 'Vrei să afli când biroul îți modifică comenzile?'],
  pushWhy: [
    'Your phone can tell you of new and changed tasks, also while this app is closed.',
    'Telefonul te poate anunța când apar comenzi noi sau modificate, chiar dacă aplicația e închisă.',
  ],
  pushAllow: ['Notify me', 'Anunță-mă'],
  pushNo: ['No, thanks', 'Nu, mulțumesc'],
  pushOn: [
    'Your phone tells you of new and changed tasks, also while this app is closed.',
    'Telefonul te anunță când apar comenzi noi sau modificate, chiar dacă aplicația e închisă.',
  ],
  pushDenied: [
    'Notifications of this app are blocked. New tasks appear when you open it. To change that, open the settings of this page in your browser and allow “Notifications”.',
    'Notificările acestei aplicații sunt blocate. Comenzile noi apar când o deschizi. Ca să schimbi asta, deschide în browser setările acestei pagini și permite „Notificări”.',
  ],
  pushMissing: [
    'This browser has no notifications for closed apps. New tasks appear when you open the app.',
    'Acest browser nu are notificări pentru aplicații închise. Comenzile noi apar când deschizi aplicația.',
  ],
  pushFailed: [
    'Notifications could not be set up; the app tries again later. Until then new tasks appear when you open it.',
    'Notificările nu au putut fi activate; aplicația mai încearcă. Până atunci, comenzile noi apar când o deschizi.',
  ],
} as const satisfies Words
