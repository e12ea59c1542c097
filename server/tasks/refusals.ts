import { Refusal, unknownInBody } from '../../contract/errors.ts'
import { forbiddenBySetting } from '../organisations/refusals.ts'

/* Refusals shared by several ways to write a task. */

export const awbTaken = (awb: string) =>
  new Refusal('AWB_TAKEN', { field: 'awb', message: `Another task already has AWB ${awb}` })

export const unknownAwb = (awb: string, field: string) =>
  unknownInBody('TASK_NOT_FOUND', field, `No task has AWB ${awb}`)

export const unknownTeam = () => unknownInBody('TEAM_NOT_FOUND', 'teamId')

export const unknownForm = () => unknownInBody('FORM_NOT_FOUND', 'formId')

export const teamForbidden = () => forbiddenBySetting('enableTeamAssignment', 'a team without a driver', 'teamId')
