import { BalanceQuery, Partner, PartnerBalance, PartnerInput } from '../partner.ts'
import { Id, PageQuery, reply } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const partnerOperations = {
  listPartners: {
    method: 'GET',
    path: '/api/v1/partners',
    tag: 'Partners',
    summary: 'List partners, and who has asked whom',
    scope: 'company:read',
    query: PageQuery,
    reply: reply({ partners: Type.Array(Partner), nextCursor: NextCursor }),
    refuses: [],
  },
  addPartner: {
    method: 'POST',
    path: '/api/v1/partners',
    tag: 'Partners',
    summary: 'Agree to be a partner of another organisation; you are once both have agreed',
    scope: 'company:write',
    body: PartnerInput,
    reply: reply({ partner: Partner }),
    changes: ['partners'],
    refuses: ['TOO_MANY_ITEMS'],
  },
  endPartnership: {
    method: 'DELETE',
    path: '/api/v1/partners/:companyId',
    tag: 'Partners',
    summary: 'End a partnership, or take back or decline an invitation; tasks that are handed over stay where they are',
    scope: 'company:write',
    params: Type.Object({ companyId: Id() }),
    reply: reply({}),
    missing: 'PARTNER_NOT_FOUND',
    changes: ['partners'],
    refuses: [],
  },
  getPartnerBalance: {
    method: 'GET',
    path: '/api/v1/partners/:companyId/balance',
    tag: 'Partners',
    summary: 'Sum up what a partner collected for you on some days, and you for the partner; of a former partner, too',
    scope: 'tasks:read',
    params: Type.Object({ companyId: Id() }),
    query: BalanceQuery,
    reply: reply({ balance: PartnerBalance }),
    missing: 'PARTNER_NOT_FOUND',
    refuses: ['INVALID_TIME'],
  },
} as const satisfies Record<string, Operation>
