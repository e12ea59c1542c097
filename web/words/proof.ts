import type { Words } from './words.ts'

/** The dialog with the proofs of tasks. */
export const proofWords = {
  proofLead: [
    'Photos, signature, times and place, for printing or sending.',
    'Fotografii, semnătură, ore și loc, pentru tipărit sau trimis.',
  ],
  proofEnded: [
    { one: '{n} of the selected tasks has ended.', other: '{n} of the selected tasks have ended.' },
    {
      one: '{n} dintre comenzile selectate s-a încheiat.',
      few: '{n} dintre comenzile selectate s-au încheiat.',
      other: '{n} dintre comenzile selectate s-au încheiat.',
    },
  ],
  proofNoneEnded: [
    'No proof yet: none of these tasks has ended.',
    'Încă nu există dovezi: nicio comandă nu s-a încheiat.',
  ],
  proofTooMany: ['At most {n} tasks at a time.', 'Cel mult {n} comenzi odată.'],
  proofAsPdf: ['Save as PDF', 'Salvează ca PDF'],
  linkForSender: ['Link for the sender', 'Link pentru expeditor'],
  linkForSenderLead: [
    'Anyone with the link sees these proofs, without an account.',
    'Oricine are linkul vede aceste dovezi, fără cont.',
  ],
  linkWorksFor: ['Works for', 'Funcționează'],
  linkDays: [
    { one: '{n} day', other: '{n} days' },
    { one: '{n} zi', few: '{n} zile', other: '{n} de zile' },
  ],
  makeLink: ['Make link', 'Creează linkul'],
  linkMade: ['It is shown only now. It works until {time}.', 'Se afișează doar acum. Funcționează până la {time}.'],
  linksOfTask: ['Links that show this task', 'Linkuri care arată această comandă'],
  linkMadeBy: ['{name}, until {time}', '{name}, până la {time}'],
  linkRevoked: ['Link revoked', 'Link revocat'],
} as const satisfies Words
