import type { Texts } from '../../say.ts'

/** The dialog with the proofs of tasks. */
export const proofWords = {
  proofLead: 'Photos, signature, times and place, for printing or sending.',
  proofEnded: { one: '{n} of the selected tasks has ended.', other: '{n} of the selected tasks have ended.' },
  proofNoneEnded: 'No proof yet: none of these tasks has ended.',
  proofTooMany: 'At most {n} tasks at a time.',
  proofAsPdf: 'Save as PDF',
  linkForSender: 'Link for the sender',
  linkForSenderLead: 'Anyone with the link sees these proofs, without an account.',
  linkWorksFor: 'Valid for',
  linkDays: { one: '{n} day', other: '{n} days' },
  makeLink: 'Create link',
  linkMade: 'It is shown only now. It is valid until {time}.',
  linksOfTask: 'Links that show this task',
  linkMadeBy: '{name}, until {time}',
  linkRevoked: 'Link revoked',
} as const satisfies Texts
