import { checkCash } from '../server/cash/check.ts'
import { listOrganisations } from '../server/organisations/queries.ts'
import type { Verb } from './command.ts'
import { withDatabase } from './database.ts'

export const check: Verb = {
  does: 'Checks over the whole database that money adds up, and says what does not.',
  more: 'It ends with status 1 if something does not add up. After an upgrade it may take the server ten minutes to put earlier payments on their days.',
  run: () =>
    withDatabase(async (database) => {
      const lines: string[] = []
      let isSound = true
      for (const { id, name: given } of await listOrganisations(database.everyone)) {
        const { summary, faults } = await checkCash(database.of(id), id)
        // Whatever it is called, it does not control the terminal.
        const name = given.replace(/\p{C}/gu, '?')
        isSound &&= faults.length === 0
        lines.push(
          faults.length === 0
            ? `${name}: money adds up (${summary})`
            : `${name}: money does not add up: ${faults.join('; ')} (${summary})`,
        )
      }
      const report = lines.join('\n') || 'No organisations yet.'
      // What is wrong is the output, but a script has to see it.
      if (!isSound) throw new Error(report)
      return report
    }),
}
