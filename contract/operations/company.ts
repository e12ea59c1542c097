import { CompanyUpdate, FirstSteps, OwnCompany } from '../company.ts'
import { reply } from '../schema.ts'
import type { Operation } from './operation.ts'

export const companyOperations = {
  getCompany: {
    method: 'GET',
    path: '/api/v1/company',
    tag: 'Company',
    summary: 'Get the organisation and its settings',
    scope: 'company:read',
    reply: reply({ company: OwnCompany }),
    refuses: [],
  },
  updateCompany: {
    method: 'PUT',
    path: '/api/v1/company',
    tag: 'Company',
    summary: 'Update the organisation or some of its settings',
    scope: 'company:write',
    body: CompanyUpdate,
    reply: reply({ company: OwnCompany }),
    changes: ['company'],
    refuses: ['FILE_NOT_FOUND', 'FILE_IN_USE', 'PARTNER_NOT_FOUND', 'TEAM_NOT_FOUND', 'CURRENCY_IN_USE'],
  },
  getFirstSteps: {
    method: 'GET',
    path: '/api/v1/company/firstSteps',
    tag: 'Company',
    summary: 'Get which of the steps to a first delivery were taken',
    scope: 'company:read',
    reply: reply({ firstSteps: FirstSteps }),
    refuses: [],
  },
} as const satisfies Record<string, Operation>
