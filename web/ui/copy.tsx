import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useSay } from '../words/shared.ts'
import { IconButton } from './button.tsx'

/** Text to copy: a key, a link, a secret. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const say = useSay()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div className="flex items-center gap-1 rounded-md border border-line bg-sunken py-1 pr-1 pl-2.5">
      <span className="sr-only">{label}</span>
      <code className="min-w-0 grow select-all break-all text-xs">{text}</code>
      <IconButton label={copied ? say('copied') : say('copy')} onClick={() => void copy()}>
        {copied ? <Check /> : <Copy />}
      </IconButton>
    </div>
  )
}
