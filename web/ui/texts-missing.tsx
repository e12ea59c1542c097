import { type Language, languageCodes } from '../../core/words/languages.ts'
import { missingTexts } from '../../core/words/missing.ts'
import { Button } from './button.tsx'

/**
 * Instead of an app whose texts could not be loaded: in all languages, the wanted one first. The button loads the page
 * again, because some browsers do not ask twice for a file that failed.
 */
export function TextsMissing({ wanted }: { wanted: Language }) {
  const order = [wanted, ...languageCodes.filter((code) => code !== wanted)]
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-center gap-6 p-6 text-center">
      <div role="alert" className="grid gap-6">
        {order.map((code) => (
          <section key={code} lang={code} className="grid gap-1">
            <h1 className="font-semibold text-base">{missingTexts[code].title}</h1>
            <p className="text-ink-soft">{missingTexts[code].lead}</p>
          </section>
        ))}
      </div>
      <Button look="primary" className="h-12 px-5" onClick={() => location.reload()}>
        {order.map((code, at) => (
          <span key={code} lang={code}>
            {at > 0 && '· '}
            {missingTexts[code].retry}
          </span>
        ))}
      </Button>
    </main>
  )
}
