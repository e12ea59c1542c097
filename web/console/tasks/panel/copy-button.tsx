import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { useSay } from '../../../words/console.ts'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const say = useSay()
  const tell = useTell()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      tell(say('copied'))
    } catch {
      // Copying needs https and permission; otherwise the text is shown, to be copied by hand.
      tell(text)
    }
  }
  return (
    <IconButton label={label} className="!size-6" onClick={() => void copy()}>
      {isCopied ? <Check aria-hidden className="!size-3.5 text-good" /> : <Copy aria-hidden className="!size-3.5" />}
    </IconButton>
  )
}
