import type { SettingName } from '../../core/settings.ts'

/** The name of each setting in both languages, and what it does in Romanian; `core/settings` has the English. */
export const settingWords: Record<SettingName, readonly [en: string, ro: string, effectRo: string]> = {
  enableRouteOptimization: [
    'Route optimisation',
    'Optimizarea traseelor',
    'Când este oprită, traseele nu pot fi optimizate',
  ],
  enableAutoAssignMode: [
    'Assign automatically',
    'Atribuire automată',
    'Comenzile noi fără șofer sunt atribuite celui mai potrivit șofer',
  ],
  enableTeamAssignment: [
    'Assign tasks to teams',
    'Atribuire pe echipe',
    'O comandă poate avea o echipă înainte să aibă șofer',
  ],
  enableAWB: [
    'Own AWBs',
    'AWB-uri proprii',
    'Când este oprită, AWB-urile primite sunt ignorate și se generează altele',
  ],
  disableAdminUnassignToOrg: [
    'Block bulk unassign',
    'Blochează retragerea în masă',
    'Când este pornită, comenzile nu pot fi retrase în masă',
  ],
  canExecutorsModifyDelegatedTasks: [
    'Partners can edit',
    'Partenerii pot modifica',
    'Un partener poate modifica o comandă delegată lui',
  ],
  canExecutorsUndelegateTasks: [
    'Partners can give back',
    'Partenerii pot returna',
    'Un partener poate returna o comandă delegată',
  ],
  allowDriverToTakePicturesOnSite: ['Photos', 'Fotografii', 'Șoferii pot adăuga fotografii'],
  allowDriverToTakeSignaturesOnSite: ['Signatures', 'Semnături', 'Șoferii pot adăuga semnături'],
  allowDriverToTakeNotesOnSite: ['Notes', 'Note', 'Șoferii pot scrie note'],
  allowDriverToTakePaymentsOnSite: ['Payments', 'Plăți', 'Șoferii pot încasa plăți'],
  allowDriverToScanOnSite: ['Scanning', 'Scanare', 'Șoferii pot scana coduri'],
  allowDriverToCancelTask: ['Fail tasks', 'Marcarea eșecului', 'Șoferii pot marca o comandă ca eșuată'],
  allowDriverAddProfilePicture: ['Profile picture', 'Poză de profil', 'Șoferii își pot pune o poză de profil'],
  allowDriverToCallTheCustomer: [
    'Call the customer',
    'Apelarea clientului',
    'Șoferii văd numărul de telefon al clientului și îl pot suna',
  ],
  allowPartialPayments: [
    'Partial payments',
    'Plăți parțiale',
    'Când este oprită, o plată mai mică decât restul de plată este refuzată',
  ],
  makeSignaturesMandatory: [
    'Require signature',
    'Semnătură obligatorie',
    'O comandă nu poate fi finalizată fără semnătură; șoferii o pot adăuga chiar dacă semnăturile sunt oprite',
  ],
  driverAutoAcceptOrders: [
    'Accept automatically',
    'Acceptare automată',
    'Când este oprită, șoferul trebuie să accepte o comandă înainte să o înceapă',
  ],
  driverAutoStartsTaskOnAccept: ['Start when accepted', 'Începere la acceptare', 'O comandă acceptată începe imediat'],
  automaticStart: [
    'Start automatically',
    'Începere automată',
    'Prima comandă a traseului începe automat, dacă șoferul este în tură',
  ],
  automaticStartField: ['Automatic start time', 'Ora începerii automate', 'Ora la care începe automat'],
  automaticDriverFlow: [
    'Start next task automatically',
    'Începe automat comanda următoare',
    'La finalizare începe următoarea comandă de azi; o comandă poate fi finalizată fără să fi fost începută',
  ],
  forceCompleteAsFailed: [
    'Force complete as failed',
    'Încheiere forțată ca eșec',
    'Încheierea forțată fără un rezultat marchează comanda ca eșuată',
  ],
  forceCompleteAsFailedCancelReason: [
    'Default failure reason',
    'Motiv implicit',
    'Motivul folosit când o comandă este marcată ca eșuată fără motiv',
  ],
  overwriteTaskLocation: [
    'Correct location on completion',
    'Corectează locația la finalizare',
    'La finalizare, adresa este mutată în locul unde era șoferul, dacă acesta este cunoscut cu o precizie de 50 de metri',
  ],
  enableRecipientFeedback: ['Feedback', 'Feedback', 'Clienții pot evalua o comandă după încheierea ei'],
  displayTransportationDetails: ['Show vehicle', 'Arată vehiculul', 'Pagina de urmărire arată vehiculul șoferului'],
  displayDestinationDetails: ['Show address', 'Arată adresa', 'Pagina de urmărire arată adresa'],
  displayCallButton: ['Call button', 'Buton de apel', 'Pagina de urmărire are un buton de apel'],
  displayMessageButton: ['Message button', 'Buton de mesaj', 'Pagina de urmărire are un buton de mesaj'],
  callForwardingRecipient: [
    'Call button calls',
    'Numărul apelat de buton',
    'Un număr sau „driver”, adică șoferul; dacă este gol, call centerul',
  ],
  callCenterPhoneNumber: ['Call centre', 'Call center', 'Numărul de telefon al call centerului'],
  smsSenderId: [
    'Sender',
    'Expeditor',
    'De la cine vin mesajele: un nume sau număr permis de furnizorul de SMS, ori numele din emailuri',
  ],
  messageOnItsWay: ['On its way', 'Pe drum', 'Clienții primesc un mesaj când șoferul începe comanda lor'],
  messageNextStop: ['Next stop', 'Următoarea oprire', 'Clienții primesc un mesaj când sunt printre următoarele opriri'],
  messageNextStopStops: [
    'Stops before',
    'Opriri înainte',
    'Mesajul pleacă atunci când mai sunt cel mult atâtea opriri înainte; 0 înseamnă niciodată',
  ],
  messageNextStopMinutes: [
    'Minutes before',
    'Minute înainte',
    'Mesajul pleacă și atunci când șoferul e așteptat în cel mult atâtea minute; 0 înseamnă niciodată',
  ],
  messageArrived: ['Arrived', 'A ajuns', 'Clienții primesc un mesaj când șoferul a ajuns'],
  messageDelivered: [
    'Delivered',
    'Livrat',
    'Clienții primesc un mesaj cu un link la dovadă când comanda lor este finalizată',
  ],
  messageFailed: ['Failed', 'Eșuat', 'Clienții primesc un mesaj cu motivul când comanda lor a eșuat'],
  messageWindowChanged: [
    'Window changed',
    'Interval schimbat',
    'Clienții primesc un mesaj când se schimbă intervalul orar al comenzii lor',
  ],
  messageLanguage: [
    'Language of messages',
    'Limba mesajelor',
    '„country” înseamnă română în România și Moldova și engleză în rest',
  ],
  messageFirstChannel: ['SMS or email', 'SMS sau email', 'Cum primesc mesajele clienții care au și telefon, și email'],
  messageQuietFrom: [
    'Quiet from',
    'Liniște de la',
    'De la această oră nu se mai trimit mesaje; dacă este egală cu sfârșitul, se trimit oricând',
  ],
  messageQuietUntil: [
    'Quiet until',
    'Liniște până la',
    'De la această oră se trimit din nou mesaje, dacă nu sunt deja vechi',
  ],
  messageMostPerDay: [
    'Max. messages per day',
    'Număr maxim de mesaje pe zi',
    'Cel mult atâtea mesaje într-o zi; celelalte nu se trimit',
  ],
  messageMostPerTask: [
    'Max. messages per task',
    'Număr maxim de mesaje pe comandă',
    'Cel mult atâtea mesaje despre o comandă; celelalte nu se trimit',
  ],
  hoursToSaveCustomerDataAfterDone: [
    'Keep personal data (hours)',
    'Păstrarea datelor personale (ore)',
    'După câte ore de la încheierea comenzii se șterg datele personale; 0 înseamnă că se păstrează',
  ],
  locationTrackingDistance1: [
    'Report after (m)',
    'Raportează după (m)',
    'Șoferul își raportează poziția după ce parcurge această distanță, în metri',
  ],
  locationTrackingDistance2: [
    'Arrival radius (m)',
    'Raza de sosire (m)',
    'Șoferul este considerat ajuns când intră în această rază, în metri',
  ],
  locationTrackingTime: [
    'Report every (s)',
    'Raportează la fiecare (s)',
    'Șoferul își raportează poziția cel puțin o dată în acest interval, în secunde',
  ],
  preferredUnitType: ['Units', 'Unități de măsură', 'Kilometri sau mile'],
  accentColor: ['Accent colour', 'Culoare de accent', 'Culoarea butoanelor și a linkurilor'],
  imageOption: ['Photo source', 'Sursa fotografiilor', 'De unde pot adăuga șoferii fotografii'],
  orderListViewDataLine1: [
    'List line 1',
    'Rândul 1 din listă',
    'Primul rând al unei comenzi în lista șoferului: un câmp, de exemplu customer.name',
  ],
  orderListViewDataLine2: [
    'List line 2',
    'Rândul 2 din listă',
    'Al doilea rând al unei comenzi în lista șoferului: un câmp, de exemplu customer.name',
  ],
  orderListViewDataLine3: [
    'List line 3',
    'Rândul 3 din listă',
    'Al treilea rând al unei comenzi în lista șoferului: un câmp, de exemplu customer.name',
  ],
  customizeColumnDefines: ['Table columns', 'Coloanele tabelului', 'Coloanele afișate în tabel'],
  autoDeletePhotosFromApp: [
    'Delete uploaded photos',
    'Șterge fotografiile încărcate',
    'Fotografiile sunt șterse de pe telefon după încărcare',
  ],
  uploadPhotosOnWifi: [
    'Upload photos over Wi-Fi only',
    'Încarcă fotografii doar prin Wi-Fi',
    'Fotografiile așteaptă o rețea Wi-Fi',
  ],
  googleApiKey: [
    'Google API key',
    'Cheie API Google',
    'Adresele sunt căutate la Google cu această cheie; poate fi scrisă, dar nu citită',
  ],
}
