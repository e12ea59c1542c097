import type { Words } from './words.ts'

/**
 * Why the server refused something, by its error code; the test beside this file lists the codes nobody sees on a page.
 * `{message}` is the server's own English sentence, where it says more than we can.
 */
export const errorWords = {
  VALIDATION_FAILED: ['{message}', 'Valoarea nu este validă'],
  fieldRequired: ['This field is required', 'Câmp obligatoriu'],
  fieldTooLong: [
    { one: 'Enter at most {n} character', other: 'Enter at most {n} characters' },
    {
      one: 'Introdu cel mult {n} caracter',
      few: 'Introdu cel mult {n} caractere',
      other: 'Introdu cel mult {n} de caractere',
    },
  ],
  fieldTooSmall: ['Enter a number of at least {n}', 'Introdu un număr de cel puțin {n}'],
  fieldTooLarge: ['Enter a number of at most {n}', 'Introdu un număr de cel mult {n}'],
  fieldNotEmail: ['Enter a valid email address', 'Introdu o adresă de e-mail validă'],
  INVALID_PHONE: ['{message}', 'Numărul de telefon nu este valid'],
  INVALID_TIME: ['{message}', 'Data sau ora nu este validă'],
  INVALID_TIME_WINDOW: ['The time window ends before it starts', 'Intervalul se termină înainte să înceapă'],
  TOO_MANY_ITEMS: ['{message}', 'Prea multe elemente deodată'],
  WEBHOOK_URL_FORBIDDEN: ['{message}', 'Nu se pot trimite webhook-uri la această adresă'],
  WEBHOOK_URL_NOT_VERIFIED: ['{message}', 'URL-ul nu a răspuns corect. Verifică-l și încearcă din nou.'],
  UNAUTHORIZED: ['Your session has ended. Sign in again.', 'Sesiunea s-a încheiat. Conectează-te din nou.'],
  wrongSignIn: ['Wrong email or password', 'E-mail sau parolă greșită'],
  linkUsed: [
    'This link has expired or was already used. Ask an admin for a new one.',
    'Linkul a expirat sau a fost deja folosit. Cere unui administrator unul nou.',
  ],
  FORBIDDEN: ['Your role does not allow this', 'Rolul tău nu permite acest lucru'],
  CROSS_SITE: [
    'The request came from another site. Reload this page.',
    'Cererea a venit de pe alt site. Reîncarcă pagina.',
  ],
  WRONG_PASSWORD: ['The current password is wrong', 'Parola actuală este greșită'],
  FORBIDDEN_BY_SETTING: ['Not allowed by your organisation’s settings', 'Setările organizației nu permit acest lucru'],
  NOT_FOUND: ['Not found', 'Nu există'],
  TASK_NOT_FOUND: ['This task no longer exists', 'Comanda nu mai există'],
  DRIVER_NOT_FOUND: ['This driver no longer exists', 'Șoferul nu mai există'],
  TEAM_NOT_FOUND: ['This team no longer exists', 'Echipa nu mai există'],
  HUB_NOT_FOUND: ['This hub no longer exists', 'Depozitul nu mai există'],
  WEBHOOK_NOT_FOUND: ['This webhook no longer exists', 'Webhook-ul nu mai există'],
  KEY_NOT_FOUND: ['This key no longer exists', 'Cheia nu mai există'],
  PERSON_NOT_FOUND: ['This person no longer exists', 'Utilizatorul nu mai există'],
  EVENT_NOT_FOUND: ['This event no longer exists', 'Evenimentul nu mai există'],
  AWB_TAKEN: ['Another task already has this AWB', 'Există deja o comandă cu acest AWB'],
  TASK_ALREADY_PROCESSED: ['The task has already started or ended', 'Comanda a fost deja începută sau încheiată'],
  TASK_NOT_ASSIGNED: ['The task has no driver', 'Comanda nu are șofer'],
  TASK_NOT_ACCEPTED: ['The driver has not accepted the task yet', 'Șoferul nu a acceptat încă această comandă'],
  TASK_NOT_STARTED: ['The task has not been started', 'Comanda nu a fost începută'],
  TASK_IN_TRANSIT: ['The task is in transit', 'Comanda este pe drum'],
  DRIVER_BUSY: ['The driver has a task in transit', 'Șoferul are o comandă pe drum'],
  DEPENDENCY_OPEN: ['A task it depends on has not succeeded yet', 'O comandă de care depinde nu este finalizată'],
  ORDER_BREAKS_DEPENDENCY: [
    'A task would come before one it depends on',
    'O comandă ar ajunge înaintea celei de care depinde',
  ],
  SIGNATURE_REQUIRED: ['A signature is required', 'Este nevoie de o semnătură'],
  HUB_IN_USE: ['A team still uses this hub', 'O echipă folosește încă acest depozit'],
  KEY_REPLACED: ['This key was already replaced', 'Cheia a fost deja înlocuită'],
  PASSWORD_TOO_COMMON: [
    'This password is too common. Choose another one.',
    'Parola este prea des folosită. Alege alta.',
  ],
  EMAIL_TAKEN: ['This email address is already in use', 'Adresa de e-mail este deja folosită'],
  LAST_ADMIN: ['The organisation needs at least one admin', 'Organizația are nevoie de cel puțin un administrator'],
  WEBHOOK_DISABLED: ['The webhook is disabled. Enable it first.', 'Webhook-ul este inactiv. Activează-l mai întâi.'],
  PAYLOAD_TOO_LARGE: ['This is too large to send', 'Conținutul este prea mare pentru a fi trimis'],
  REQUEST_TIMEOUT: [
    'Sending took too long. Check your connection and try again.',
    'Trimiterea a durat prea mult. Verifică conexiunea și încearcă din nou.',
  ],
  RATE_LIMITED: ['Too many attempts. Wait a moment.', 'Prea multe încercări. Așteaptă puțin.'],
  INTERNAL: ['Something went wrong on the server', 'A apărut o eroare pe server'],
  PLANNER_BUSY: [
    'The planner is busy. Try again in a moment.',
    'Planificatorul este ocupat. Încearcă din nou peste puțin timp.',
  ],
  DISK_FULL: [
    'The server’s disk is full. Nothing can be saved until there is room.',
    'Discul serverului este plin. Nu se poate salva nimic până nu se eliberează spațiu.',
  ],
  OVERLOADED: [
    'The server is busy. Try again in a moment.',
    'Serverul este ocupat. Încearcă din nou peste puțin timp.',
  ],
  networkDown: ['The server cannot be reached', 'Serverul nu răspunde'],
} as const satisfies Words
