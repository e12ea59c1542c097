import type { SettingTexts } from '../en/settings.ts'

const lineChoices = {
  'customer.name': 'Nume client',
  'customer.phone': 'Telefon client',
  'address.address': 'Adresă',
  'address.area': 'Zonă',
  'address.city': 'Localitate',
  completeBefore: 'Interval',
  awb: 'AWB',
  details: 'Detalii',
  customerNotes: 'Observațiile clientului',
  quantity: 'Cantitate',
  '': 'Nimic',
}

export const settingTexts: SettingTexts = {
  enableRouteOptimization: { name: 'Optimizarea traseelor', effect: 'Când este oprită, traseele nu pot fi optimizate' },
  enableAutoAssignMode: {
    name: 'Atribuire automată',
    effect: 'Comenzile noi fără șofer sunt atribuite celui mai potrivit șofer',
  },
  enableTeamAssignment: {
    name: 'Atribuire pe echipe',
    effect:
      'O comandă poate avea o echipă înainte să aibă șofer; când este oprită, echipa se acceptă doar împreună cu un șofer',
  },
  enableAWB: {
    name: 'AWB-uri proprii',
    effect: 'Când este oprită, AWB-urile primite sunt ignorate și se generează altele; nu se mai cere niciun AWB',
  },
  moneyDecimals: {
    name: 'Zecimale la sume',
    effect:
      'Câte zecimale pot avea sumele de bani; fără zecimale sumele sunt întregi, iar o sumă cu zecimale este refuzată. Sumele care au deja zecimale le păstrează',
    choices: { 0: 'Fără: 120', 2: 'Două: 89,50' },
  },
  disableAdminUnassignToOrg: {
    name: 'Fără retragere',
    effect:
      'Când este pornită, biroul nu poate retrage comenzi: nici una câte una, nici prin anulare, nici când un șofer este indisponibil. Doar ștergerea unui șofer o mai face',
  },
  canExecutorsModifyDelegatedTasks: {
    name: 'Partenerii pot modifica',
    effect: 'Un partener poate modifica o comandă delegată lui',
  },
  canExecutorsUndelegateTasks: {
    name: 'Partenerii pot returna',
    effect: 'Un partener poate returna o comandă delegată',
  },
  delegateNewTasksTo: {
    name: 'Comenzile noi merg la',
    effect: 'Comenzile noi fără șofer sunt date automat acestui partener',
  },
  delegateNewTasksOfTeam: {
    name: 'Doar comenzile echipei',
    effect: 'Dintre comenzile noi, doar cele ale acestei echipe sunt date partenerului',
  },
  delegatedMessages: {
    name: 'Mesaje despre comenzile delegate',
    effect:
      'Cine le scrie clienților ale căror comenzi sunt date de acum înainte unui partener, cu textele și setările proprii',
    choices: { owner: 'Noi', fulfiller: 'Partenerul' },
  },
  showDriverPhoneToPartners: {
    name: 'Partenerii văd telefonul șoferului',
    effect: 'Partenerul a cărui comandă este livrată aici vede numărul de telefon al șoferului',
  },
  allowDriverToTakePicturesOnSite: { name: 'Fotografii', effect: 'Șoferii pot adăuga fotografii' },
  allowDriverToTakeSignaturesOnSite: { name: 'Semnături', effect: 'Șoferii pot adăuga semnături' },
  allowDriverToTakeNotesOnSite: { name: 'Note', effect: 'Șoferii pot scrie note' },
  allowDriverToTakePaymentsOnSite: { name: 'Plăți', effect: 'Șoferii pot încasa plăți' },
  allowDriverToScanOnSite: { name: 'Scanare', effect: 'Șoferii pot scana coduri' },
  allowDriverToCancelTask: { name: 'Marcarea eșecului', effect: 'Șoferii pot marca o comandă ca eșuată' },
  allowDriverAddProfilePicture: { name: 'Poză de profil', effect: 'Șoferii își pot pune o poză de profil' },
  allowDriverToCallTheCustomer: {
    name: 'Apelarea clientului',
    effect: 'Șoferii văd numărul de telefon al clientului și îl pot suna',
  },
  allowPartialPayments: {
    name: 'Plăți parțiale',
    effect:
      'Când este oprită, o plată mai mică decât restul de plată este refuzată, iar șoferii care pot încasa plăți nu pot finaliza o comandă neachitată',
  },
  makeSignaturesMandatory: {
    name: 'Semnătură obligatorie',
    effect: 'O comandă nu poate fi finalizată fără semnătură; șoferii o pot adăuga chiar dacă semnăturile sunt oprite',
  },
  driverAutoAcceptOrders: {
    name: 'Acceptare automată',
    effect: 'Când este oprită, șoferul trebuie să accepte o comandă înainte să o înceapă',
  },
  driverAutoStartsTaskOnAccept: { name: 'Începere la acceptare', effect: 'O comandă acceptată începe imediat' },
  automaticStart: {
    name: 'Începere automată',
    effect: 'Prima comandă a traseului începe automat la ora de mai jos, dacă șoferul este în tură',
  },
  automaticStartField: {
    name: 'Ora începerii automate',
    effect: 'Ora la care începe automat',
    choices: { completeAfter: 'Începutul intervalului', completeBefore: 'Sfârșitul intervalului' },
  },
  automaticDriverFlow: {
    name: 'Începe automat comanda următoare',
    effect: 'La finalizare începe următoarea comandă de azi; o comandă poate fi finalizată fără să fi fost începută',
  },
  forceCompleteAsFailed: {
    name: 'Încheiere forțată ca eșec',
    effect: 'Încheierea forțată începe cu „Eșuată”: fără un rezultat, comanda este marcată ca eșuată',
  },
  forceCompleteAsFailedCancelReason: {
    name: 'Motiv implicit',
    effect: 'Motivul completat, și folosit când o comandă este marcată ca eșuată fără motiv',
  },
  mostAttempts: {
    name: 'Număr de încercări',
    effect:
      'De câte ori poate fi încercată o comandă în total; după aceea, una eșuată nu mai poate fi reîncercată. 0 înseamnă fără limită',
  },
  afterLastAttempt: {
    name: 'După ultima încercare',
    effect:
      'Ce se întâmplă când eșuează ultima încercare: comanda rămâne în lista celor de care trebuie să te ocupi până decide cineva, coletul este adus automat înapoi la depozit sau nu se întâmplă nimic',
    choices: { ask: 'Decidem noi', return: 'Coletul este adus înapoi', stay: 'Nimic' },
  },
  overwriteTaskLocation: {
    name: 'Corectează locația la finalizare',
    effect:
      'La finalizare, adresa este mutată în locul unde era șoferul, dacă acesta este cunoscut cu o precizie de 50 de metri',
  },
  recipientReattemptDays: {
    name: 'Destinatarii aleg altă zi',
    effect:
      'După o livrare eșuată, destinatarul poate alege pe pagina de urmărire ziua unei noi încercări, cu cel mult atâtea zile înainte; 0 înseamnă că nu poate',
  },
  recipientReattemptWindows: {
    name: 'Intervalele din care aleg',
    effect: 'De exemplu 09:00-13:00, 13:00-18:00; dacă este gol, aleg doar ziua',
    choices: { '': 'Doar ziua', '09:00-13:00, 13:00-18:00': '09:00–13:00 și 13:00–18:00' },
  },
  recipientSafePlace: {
    name: 'Loc sigur',
    effect: 'Pot indica și un loc sigur unde coletul poate fi lăsat fără ei; șoferul îl citește',
  },
  enableRecipientFeedback: { name: 'Feedback', effect: 'Clienții pot evalua o comandă după încheierea ei' },
  displayTransportationDetails: { name: 'Arată vehiculul', effect: 'Pagina de urmărire arată vehiculul șoferului' },
  displayDestinationDetails: { name: 'Arată adresa', effect: 'Pagina de urmărire arată adresa' },
  displayCallButton: { name: 'Buton de apel', effect: 'Pagina de urmărire are un buton de apel' },
  displayMessageButton: { name: 'Buton de mesaj', effect: 'Pagina de urmărire are un buton pentru un mesaj text' },
  callForwardingRecipient: {
    name: 'Apelurile și mesajele ajung la',
    effect: 'La cine ajung butoanele de apel și de mesaj ale paginii de urmărire',
    choices: { '': 'Call center', driver: 'Șofer' },
  },
  callCenterPhoneNumber: {
    name: 'Call center',
    effect: 'Numărul de telefon al call centerului; dacă este gol, se sună la telefonul companiei',
  },
  smsSenderId: {
    name: 'Expeditor',
    effect: 'De la cine vin mesajele: un nume sau număr permis de furnizorul de SMS, ori numele din e-mailuri',
  },
  messageOnItsWay: { name: 'Pe drum', effect: 'Clienții primesc un mesaj când șoferul începe comanda lor' },
  messageNextStop: {
    name: 'Următoarea oprire',
    effect: 'Clienții primesc un mesaj când sunt printre următoarele opriri',
  },
  messageNextStopStops: {
    name: 'Opriri înainte',
    effect: 'Mesajul pleacă atunci când mai sunt cel mult atâtea opriri înainte; 0 înseamnă niciodată',
  },
  messageNextStopMinutes: {
    name: 'Minute înainte',
    effect: 'Mesajul pleacă și atunci când șoferul e așteptat în cel mult atâtea minute; 0 înseamnă niciodată',
  },
  messageArrived: { name: 'Șoferul a ajuns', effect: 'Clienții primesc un mesaj când șoferul a ajuns' },
  messageDelivered: {
    name: 'Livrat',
    effect: 'Clienții primesc un mesaj cu un link la dovadă când comanda lor este finalizată',
  },
  messageFailed: { name: 'Nelivrat', effect: 'Clienții primesc un mesaj cu motivul când comanda lor a eșuat' },
  messageWindowChanged: {
    name: 'Interval schimbat',
    effect: 'Clienții primesc un mesaj când se schimbă intervalul orar al comenzii lor',
  },
  messageLanguage: {
    name: 'Limba mesajelor',
    effect: 'După țară: română în România și Moldova, engleză în rest',
    choices: { country: 'După țară' },
  },
  messageFirstChannel: {
    name: 'SMS sau e-mail',
    effect: 'Cum primesc mesajele clienții care au și telefon, și e-mail',
    choices: { sms: 'SMS', email: 'E-mail' },
  },
  messageQuietFrom: {
    name: 'Fără mesaje de la',
    effect: 'De la această oră nu se mai trimit mesaje; dacă este egală cu sfârșitul, se trimit oricând',
  },
  messageQuietUntil: {
    name: 'Fără mesaje până la',
    effect: 'De la această oră se trimit din nou mesaje, dacă nu sunt deja vechi',
  },
  messageMostPerDay: {
    name: 'Număr maxim de mesaje pe zi',
    effect: 'Cel mult atâtea mesaje într-o zi; celelalte nu se trimit',
  },
  messageMostPerTask: {
    name: 'Număr maxim de mesaje pe comandă',
    effect: 'Cel mult atâtea mesaje despre o comandă; celelalte nu se trimit',
  },
  hoursToSaveCustomerDataAfterDone: {
    name: 'Păstrarea datelor personale (ore)',
    effect:
      'După câte ore de la încheierea comenzii datele personale se șterg peste tot, definitiv; 0 înseamnă că se păstrează',
    warning:
      'După salvare, datele personale ale tuturor comenzilor încheiate cu mai mult timp în urmă se șterg în câteva minute, ' +
      'definitiv: și din evenimentele trecute, și împreună cu imaginile. Acțiunea nu poate fi anulată.',
  },
  locationTrackingDistance1: {
    name: 'Raportează după (m)',
    effect: 'Șoferul își raportează poziția după ce parcurge această distanță, în metri',
  },
  locationTrackingDistance2: {
    name: 'Raza de sosire (m)',
    effect: 'Șoferul este considerat ajuns când intră în această rază, în metri',
  },
  locationTrackingTime: {
    name: 'Raportează la fiecare (s)',
    effect:
      'Șoferul își raportează poziția cel puțin o dată în acest interval, în secunde; fără poziție de trei ori mai mult timp, și cel puțin 5 minute, este considerat fără semnal',
  },
  preferredUnitType: {
    name: 'Unități de măsură',
    effect: 'Kilometri sau mile',
    choices: { metric: 'Kilometri', imperial: 'Mile' },
  },
  shopConsole: {
    name: 'Consolă de magazin',
    effect: 'Consola arată doar ce îi trebuie unui magazin: coletele lui, dovezile și ce are de primit',
  },
  accentColor: { name: 'Culoare de accent', effect: 'Culoarea butoanelor și a linkurilor' },
  imageOption: {
    name: 'Sursa fotografiilor',
    effect: 'De unde pot adăuga șoferii fotografii',
    choices: { camera: 'Camera foto', gallery: 'Galeria', both: 'Camera foto sau galeria' },
  },
  orderListViewDataLine1: {
    name: 'Rândul 1 din listă',
    effect: 'Primul rând al unei comenzi în lista șoferului',
    choices: lineChoices,
  },
  orderListViewDataLine2: {
    name: 'Rândul 2 din listă',
    effect: 'Al doilea rând al unei comenzi în lista șoferului',
    choices: lineChoices,
  },
  orderListViewDataLine3: {
    name: 'Rândul 3 din listă',
    effect: 'Al treilea rând al unei comenzi în lista șoferului',
    choices: lineChoices,
  },
  customizeColumnDefines: {
    name: 'Coloanele tabelului',
    effect: 'Coloanele cu care începe toată lumea în tabelul comenzilor; fiecare își poate alege altele',
  },
  autoDeletePhotosFromApp: {
    name: 'Șterge fotografiile încărcate',
    effect: 'Fotografiile sunt șterse de pe telefon după încărcare',
  },
  uploadPhotosOnWifi: { name: 'Încarcă fotografii doar prin Wi-Fi', effect: 'Fotografiile așteaptă o rețea Wi-Fi' },
  googleApiKey: {
    name: 'Cheie API Google',
    effect: 'Adresele sunt căutate la Google cu această cheie; poate fi scrisă, dar nu citită',
  },
}
