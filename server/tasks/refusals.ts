import { Refusal } from '../../contract/errors.ts'

export const teamForbidden = () =>
  new Refusal('FORBIDDEN_BY_SETTING', {
    field: 'teamId',
    message: 'The setting enableTeamAssignment does not allow a team without a driver',
  })

export const awbTaken = (awb: string) =>
  new Refusal('AWB_TAKEN', { field: 'awb', message: `Another task already has AWB ${awb}` })
