import type { Texts } from '../say.ts'

/** What a new organisation is asked and told in its first hour; afterwards only forms that few people open need it. */
export const firstStepWords = {
  setUpTitle: 'Set up your organisation',
  setUpLead: 'A few details, then you can start.',
  yourName: 'Your name',
  yourNameHint: 'Shown to colleagues and drivers next to what you do.',
  organisationName: 'Name of the organisation',
  organisationNameHint: 'Customers see it on their tracking page and in messages.',
  setUpLater: 'You can change all of this later in Settings. Amounts are not converted to another currency.',
  setUpSave: 'Continue',
  firstSteps: 'First steps',
  stepsTaken: '{done} of {all} done',
  stepTaken: '{step} (done)',
  step_hub: 'Add a hub',
  step_team: 'Create a team',
  step_driver: 'Add a driver',
  step_invited: 'Invite the driver',
  step_task: 'Create a task',
  step_assigned: 'Assign the task',
  step_delivered: 'Deliver it',
  why_hub: 'The place your drivers start from.',
  why_team: 'Drivers work in teams, and a team starts from its hub.',
  why_driver: 'All you need is a name and a phone number.',
  why_invited: 'The driver opens the app with a link or a QR code.',
  why_task: 'An address is enough; everything else is optional.',
  why_assigned: 'Choose the driver who takes it.',
  why_delivered: 'The driver starts and completes it in the app, and you watch it here.',
  allStepsTaken: 'Your first task was delivered. You are all set.',
  hideFirstSteps: 'Hide first steps',
  onlyHere: 'Opens only on this computer',
  onlyInNetwork: 'Opens only in your network',
  linkOnlyHere:
    'This link opens only on this computer. To use it elsewhere, set WAYBILL_PUBLIC_URL to an address that others can reach and restart Waybill.',
  linkOnlyInNetwork:
    'This link opens only inside your network. To use it elsewhere, set WAYBILL_PUBLIC_URL to a public address and restart Waybill.',
  linksOnlyHere:
    'The links in messages open only on this computer. To use them elsewhere, set WAYBILL_PUBLIC_URL to an address that others can reach and restart Waybill.',
  linksOnlyInNetwork:
    'The links in messages open only inside your network. To use them elsewhere, set WAYBILL_PUBLIC_URL to a public address and restart Waybill.',
  hubAddressHint: 'Street, number and town, or coordinates from a map',
  hubApproximate: 'Approximate: only the street or the town was found',
  hubApproximateHint: 'Only the street or the town was found. Paste the exact coordinates from a map.',
  newTeamHint: 'Every driver is in a team. This one is created with the driver.',
  firstTeamName: 'Team 1',
} as const satisfies Texts
