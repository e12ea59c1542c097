import type { accessWords as english } from '../../en/console/access.ts'
import type { Translation } from '../../say.ts'

export const accessWords = {
  task: 'Comandă',
  time: 'Ora',
  invited: 'Invitat',
  changePassword: 'Schimbă parola',
  currentPassword: 'Parola actuală',
  passwordChanged: 'Parola a fost schimbată. Celelalte sesiuni au fost încheiate.',
  sessions: 'Sesiuni',
  signOutEndsImport: 'Ai un import neterminat. La deconectare, rândurile lui se șterg din acest browser.',
  sessionsLead: 'Ai pierdut un dispozitiv? Deconectează-te de peste tot, apoi conectează-te din nou aici.',
  settingsLead: 'Cum lucrează organizația ta.',
  organisation: 'Organizație',
  timezone: 'Fus orar',
  currency: 'Monedă',
  settingsSaved: 'Setări salvate',
  otherValue: 'Altceva…',
  otherValueOf: '{setting}: altceva',
  part_pages: 'Consolă și aplicație',
  part_tasks: 'Comenzi',
  part_driver: 'Șoferi',
  part_planning: 'Planificare',
  part_tracking: 'Pagina de urmărire',
  part_erasure: 'Date personale',
  part_locations: 'Localizare',
  part_partners: 'Parteneri',
} as const satisfies Translation<typeof english>
