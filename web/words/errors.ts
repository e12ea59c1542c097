import type { Words } from './words.ts'

/** Refusals a dispatcher meets, in the language of the page. What is not here is told in the server's own words. */
export const errorWords = {
  AWB_TAKEN: ['Another task has this AWB', 'Alt task are acest AWB'],
  TASK_ALREADY_PROCESSED: ['The task has already ended', 'Taskul este deja încheiat'],
  TASK_NOT_ASSIGNED: ['The task has no driver', 'Taskul nu are șofer'],
  TASK_IN_TRANSIT: ['The task is on its way', 'Taskul este pe drum'],
  TASK_NOT_FOUND: ['This task no longer exists', 'Taskul nu mai există'],
  DRIVER_NOT_FOUND: ['This driver no longer exists', 'Șoferul nu mai există'],
  DRIVER_BUSY: ['The driver has a task in transit', 'Șoferul are un task pe drum'],
  HUB_IN_USE: ['A team still starts from this hub', 'O echipă pleacă încă din acest depozit'],
  FORBIDDEN: ['Your role does not allow this', 'Rolul tău nu permite asta'],
  FORBIDDEN_BY_SETTING: ['A setting of your organisation forbids this', 'O setare a organizației interzice asta'],
  RATE_LIMITED: ['Too many attempts; wait a moment', 'Prea multe încercări; așteaptă puțin'],
  OVERLOADED: ['The server is busy; try again in a moment', 'Serverul este ocupat; încearcă imediat din nou'],
  INVALID_TIME_WINDOW: ['The window ends before it begins', 'Intervalul se termină înainte să înceapă'],
  networkDown: ['The server cannot be reached', 'Serverul nu poate fi contactat'],
} as const satisfies Words
