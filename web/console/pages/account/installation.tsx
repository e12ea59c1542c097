import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useFormats } from '../../../api/time.ts'
import { Card } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/state.tsx'
import { useSay, type Word } from '../record-words.ts'

const megabyte = 1e6

/** What a super admin sees of the installation: how it is, and how much is in it. */
export default function Installation() {
  const say = useSay()
  const { number, dateTime } = useFormats()
  const query = useQuery({
    queryKey: ['installation'],
    queryFn: async () => (await api.getInstallation()).installation,
  })
  return (
    <Card title={say('installation')}>
      <Loaded query={query}>
        {({ version, node, startedAt, database, ...counts }) => {
          const facts: [Word, string][] = [
            ['installedVersion', `${version} · Node ${node}`],
            ['runningSince', dateTime(startedAt)],
            ['installedDatabase', `PostgreSQL ${database.version}${database.embedded ? ` · ${say('embedded')}` : ''}`],
            ['databaseSize', `${number(Math.round(database.bytes / megabyte))} MB`],
            ['organisations', number(counts.organisations)],
            ['people', number(counts.people)],
            ['drivers', number(counts.drivers)],
            ['tasksAbout', number(counts.tasks)],
          ]
          return (
            <dl className="numbers grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 p-4 [&_dt]:text-ink-soft">
              {facts.map(([word, value]) => (
                <div key={word} className="contents">
                  <dt>{say(word)}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )
        }}
      </Loaded>
    </Card>
  )
}
