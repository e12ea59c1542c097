import type { Obstacle } from '../../../core/driver/rules.ts'
import { itemProblem } from '../../api/problem.ts'
import type { Say } from '../../words/driver.ts'

/** What has to be done first, for a driver. */
export function obstacleIn(obstacle: Obstacle, say: Say): string {
  if (obstacle.code === 'TASK_NOT_STARTED') return say('startFirst')
  if (obstacle.code === 'DEPENDENCY_OPEN') return say('blockedBy', { awb: obstacle.awb })
  return itemProblem({ code: obstacle.code, message: '' }, say)
}
