import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'

/* What all pages for people with a link have in common: nobody else finds them, and nobody is told where they came from. */

/** The beginning of the head. `icon` is the path of a picture, if there is one. */
export const publicHead = (title: string, icon: string | null): Html => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="${icon ?? 'data:,'}">
`

/** How a policy names a style that stands in the page. */
export const styleSource = (style: string) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`
