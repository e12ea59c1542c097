import { Id, PageQuery, reply } from '../schema.ts'
import { Team, TeamInput, TeamUpdate } from '../team.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const teamOperations = {
  createTeam: {
    method: 'POST',
    path: '/api/v1/teams',
    tag: 'Teams',
    summary: 'Create a team',
    scope: 'teams:write',
    body: TeamInput,
    reply: reply({ team: Team }),
    changes: ['teams', 'drivers'],
    refuses: ['HUB_NOT_FOUND', 'DRIVER_NOT_FOUND'],
  },
  listTeams: {
    method: 'GET',
    path: '/api/v1/teams',
    tag: 'Teams',
    summary: 'List teams',
    scope: 'teams:read',
    query: PageQuery,
    reply: reply({ teams: Type.Array(Team), nextCursor: NextCursor }),
    refuses: [],
  },
  updateTeam: {
    method: 'PUT',
    path: '/api/v1/teams/:teamId',
    tag: 'Teams',
    summary: 'Update the given fields, keep the rest',
    scope: 'teams:write',
    params: Type.Object({ teamId: Id() }),
    body: TeamUpdate,
    reply: reply({ team: Team }),
    missing: 'TEAM_NOT_FOUND',
    changes: ['teams', 'drivers'],
    refuses: ['HUB_NOT_FOUND', 'DRIVER_NOT_FOUND'],
  },
  deleteTeam: {
    method: 'DELETE',
    path: '/api/v1/teams/:teamId',
    tag: 'Teams',
    summary: 'Delete a team; its drivers and tasks stay',
    scope: 'teams:write',
    params: Type.Object({ teamId: Id() }),
    reply: reply({}),
    inSteps: true,
    missing: 'TEAM_NOT_FOUND',
    changes: ['teams', 'drivers'],
    refuses: [],
  },
} as const satisfies Record<string, Operation>
