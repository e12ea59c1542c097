import type { Texts } from '../../say.ts'

/** The texts of the pages for settings and the person's account. */
export const accessWords = {
  task: 'Task',
  time: 'Time',
  invited: 'Invited',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  passwordChanged: 'Password changed. Your other sessions were signed out.',
  sessions: 'Sessions',
  signOutEndsImport: 'You have an unfinished import. Signing out deletes its rows from this browser.',
  sessionsLead: 'Lost a device? Sign out everywhere, then sign in again here.',
  settingsLead: 'How your organisation works.',
  organisation: 'Organisation',
  timezone: 'Time zone',
  currency: 'Currency',
  settingsSaved: 'Settings saved',
  otherValue: 'Other…',
  otherValueOf: '{setting}: other',
  part_pages: 'Console and app',
  part_tasks: 'Tasks',
  part_driver: 'Drivers',
  part_planning: 'Planning',
  part_tracking: 'Tracking page',
  part_erasure: 'Personal data',
  part_locations: 'Location tracking',
  part_partners: 'Partners',
} as const satisfies Texts
