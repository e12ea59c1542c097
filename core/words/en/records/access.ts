import type { Texts } from '../../say.ts'

/** Drivers who may sign in and get tasks, and those who may not; what a super admin sees. */
export const accessWords = {
  activeOf: 'Active: {name}',
  activate: 'Activate',
  deactivate: 'Deactivate',
  deactivateTitle: 'Deactivate {name}?',
  deactivateLead:
    '{name} is signed out everywhere at once, goes off duty, cannot sign in and gets no more tasks. Tasks they have stay theirs until you assign them to somebody else.',
  driverActivated: '{name} is active again; invite them to sign in',
  driverDeactivated: '{name} is no longer active',
  installation: 'Installation',
  installedVersion: 'Version',
  runningSince: 'Running since',
  installedDatabase: 'Database',
  embedded: 'embedded',
  databaseSize: 'Size of the database',
  organisations: 'Organisations',
  tasksAbout: 'Tasks, about',
} as const satisfies Texts
