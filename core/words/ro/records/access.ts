import type { accessWords as english } from '../../en/records/access.ts'
import type { Translation } from '../../say.ts'

export const accessWords = {
  activeOf: 'Activ: {name}',
  activate: 'Activează',
  deactivate: 'Dezactivează',
  deactivateTitle: 'Dezactivezi șoferul {name}?',
  deactivateLead:
    '{name} este deconectat imediat de peste tot, iese din tură, nu se mai poate conecta și nu mai primește comenzi. Comenzile pe care le are îi rămân până le atribui altcuiva.',
  driverActivated: '{name} este din nou activ; invită-l să se conecteze',
  driverDeactivated: '{name} nu mai este activ',
  installation: 'Instalare',
  installedVersion: 'Versiune',
  runningSince: 'În funcțiune din',
  installedDatabase: 'Baza de date',
  embedded: 'inclusă',
  databaseSize: 'Mărimea bazei de date',
  organisations: 'Organizații',
  tasksAbout: 'Comenzi, aproximativ',
} as const satisfies Translation<typeof english>
