import type { Texts } from '../../say.ts'

/** What the driver's app asks of the phone. */
export const phoneWords = {
  positionTitle: 'Your position',
  positionAsk: 'Share your position with the office?',
  positionWhy:
    'While you are on duty, the office sees where you are and when you will arrive. Off duty, your position is neither read nor sent.',
  positionAllow: 'Share position',
  positionLater: 'Not today',
  positionOn: 'The office sees your position while you are on duty and this app is on the screen.',
  positionOff: 'Off duty, your position is not read.',
  positionDenied:
    'The office cannot see your position: this app is not allowed to read it. To change that, open the settings of this page in your browser and allow “Location”.',
  positionMissing: 'The office cannot see your position: this browser does not know it.',
  positionLost:
    'Your phone does not find its position. Check that location is switched on in its settings. The office sees where you were last.',
  positionBlockedShort: 'The office cannot see your position',
  positionLostShort: 'Your phone does not find its position',
  keepAwake: 'Keep the screen on',
  keepAwakeLead: 'While a task is in transit. Uses more battery.',
  backToMe: 'Back to “Me”',
  lockedTitle: 'Report with a locked screen',
  lockedLead:
    'This app can read your position only while it is on the screen. Traccar Client, a free app, also reports it while the phone is locked.',
  traccarInstall: 'Install Traccar Client.',
  traccarGet: 'Get Traccar Client',
  traccarAddress: 'Copy the address of this phone.',
  traccarCopy: 'Copy the address',
  traccarSecret: 'Show it to nobody: with it, anyone can report a position in your name.',
  traccarFields: 'In Traccar Client, open the settings and enter this. Names can differ a little between versions.',
  traccarServerUrl: 'the address you copied',
  traccarDevice: 'leave as it is',
  traccarInterval: '{seconds} (if shown)',
  traccarOn: 'on',
  traccarStart:
    'Allow Traccar Client to use the location always, switch on “Continuous tracking” (or “Service status”), and exclude it from battery saving.',
  traccarEnd:
    'While you are off duty, the server stores nothing of what Traccar Client sends. When you sign out of this app, the address stops working.',

  pushTitle: 'Notifications',
  pushAsk: 'Be told when the office changes your tasks?',
  pushWhy: 'Your phone can tell you of new and changed tasks, also while this app is closed.',
  pushAllow: 'Notify me',
  pushNo: 'No, thanks',
  pushOn: 'Your phone tells you of new and changed tasks, also while this app is closed.',
  pushDenied:
    'Notifications of this app are blocked. New tasks appear when you open it. To change that, open the settings of this page in your browser and allow “Notifications”.',
  pushMissing: 'This browser has no notifications for closed apps. New tasks appear when you open the app.',
  pushFailed:
    'Notifications could not be set up; the app tries again later. Until then new tasks appear when you open it.',
} as const satisfies Texts
