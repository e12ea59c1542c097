import type { AppTexts } from '../../../../core/words/apps.ts'
import type { Say } from '../../../../core/words/say.ts'
import type { Partner } from '../../../api/data.ts'

/** What a partner is called; one that has not answered is only a number. */
export const namePartner = ({ company, companyId }: Partner, say: Say<keyof AppTexts['partners']>): string =>
  company?.name || say('unnamedPartner', { n: String(companyId) })
