import type { proofWords as english } from '../../en/console/proof.ts'
import type { Translation } from '../../say.ts'

export const proofWords = {
  proofLead: 'Fotografii, semnătură, ore și loc, pentru tipărit sau trimis.',
  proofEnded: {
    one: '{n} dintre comenzile selectate s-a încheiat.',
    few: '{n} dintre comenzile selectate s-au încheiat.',
    other: '{n} dintre comenzile selectate s-au încheiat.',
  },
  proofNoneEnded: 'Încă nu există dovezi: nicio comandă nu s-a încheiat.',
  proofTooMany: {
    one: 'Cel mult {n} comandă odată.',
    few: 'Cel mult {n} comenzi odată.',
    other: 'Cel mult {n} de comenzi odată.',
  },
  proofAsPdf: 'Salvează ca PDF',
  linkForSender: 'Link pentru expeditor',
  linkForSenderLead: 'Oricine are linkul vede aceste dovezi, fără cont.',
  linkWorksFor: 'Valabil',
  linkDays: { one: '{n} zi', few: '{n} zile', other: '{n} de zile' },
  makeLink: 'Creează linkul',
  linkMade: 'Se afișează doar acum. Este valabil până la {time}.',
  linksOfTask: 'Linkuri care arată această comandă',
  linkMadeBy: '{name}, până la {time}',
  linkRevoked: 'Link revocat',
} as const satisfies Translation<typeof english>
