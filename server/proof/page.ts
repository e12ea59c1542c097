import { fileIdIn, isFilePath } from '../../contract/file.ts'
import { settingsOf } from '../../core/settings.ts'
import type { Language } from '../../core/words/languages.ts'
import type { Page } from '../http/answers/respond.ts'
import { pageHeaders } from '../http/pages/headers.ts'
import { Html, html } from '../http/pages/html.ts'
import { publicHead, styleSource } from '../http/pages/link-page.ts'
import type { Organisation } from '../organisations/queries.ts'
import { formatsOf } from './formats.ts'
import type { ProofSheet, ShownPicture } from './sheet.ts'
import { style } from './style.ts'
import { type Say, sayIn } from './words.ts'

/** The proofs of a link as a page: all of it is here, so it can be read and printed without script. */
export function renderProofs(
  organisation: Organisation,
  sheets: ProofSheet[],
  address: string,
  language: Language,
  expiresAt: Date,
): Page {
  const say = sayIn(language)
  const [only] = sheets
  const isList = sheets.length !== 1
  const title = isList || !only ? say('proofs') : `${only.title} ${only.awb}`
  const logo = isFilePath(organisation.logo) ? `${address}/files/${fileIdIn(organisation.logo)}?size=thumb` : null
  const { dateTime } = formatsOf(language, organisation.timezone, organisation.currency)
  const styles = style(settingsOf(organisation).accentColor)
  return {
    headers: pageHeaders(
      `default-src 'none'; img-src 'self' data:; style-src ${styleSource(styles)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ),
    html: html`<!doctype html>
<html lang="${language}">
<head>
${publicHead(`${title} · ${organisation.name}`, logo)}<style>${new Html(styles)}</style>
</head>
<body>
<header>
${logo && html`<img class="logo" src="${logo}" alt="">`}
<p><b>${organisation.name}</b></p>
${sheets.some(({ isEnded }) => isEnded) && html`<a class="button" href="${address}/proof.pdf?language=${language}">${say('asPdf')}</a>`}
</header>
<main>
${isList && listPart(sheets, say)}
${sheets.map((sheet, place) => sheetPart(sheet, place, address, say, isList))}
</main>
<footer><p>${say('zone', { zone: organisation.timezone })} ${say('until', { time: dateTime(expiresAt) })}</p></footer>
</body>
</html>
`,
  }
}

const listPart = (sheets: ProofSheet[], say: Say) => html`<h1>${say('proofs')}</h1>
<table>
<thead><tr><th scope="col">${say('awb')}</th><th scope="col">${say('result')}</th><th scope="col">${say('time')}</th></tr></thead>
<tbody>
${sheets.map(({ awb, mark, time, isEnded }, at) => html`<tr><td>${isEnded ? html`<a href="#task-${at}">${awb}</a>` : awb}</td><td>${mark.text}</td><td>${time}</td></tr>`)}
</tbody>
</table>`

function sheetPart(sheet: ProofSheet, place: number, address: string, say: Say, isList: boolean) {
  const { awb, title, mark, isEnded, facts, pictures } = sheet
  if (isList && !isEnded) return null
  const heading = isList ? html`<h2>${title}</h2>` : html`<h1>${title}</h1>`
  return html`<article id="task-${place}">
${heading}
<p class="awb">${say('awb')} ${awb}</p>
<p class="mark ${isEnded && (mark.isGood ? 'good' : 'bad')}">${mark.text}</p>
${facts.length > 0 && html`<dl>${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`}
${pictures.length > 0 && html`<div class="pictures">${pictures.map((picture) => picturePart(picture, address, say))}</div>`}
</article>`
}

function picturePart({ fileId, stored, caption, isSignature }: ShownPicture, address: string, say: Say) {
  const path = `${address}/files/${fileId}`
  const missing = stored ? 'notSent' : 'lost'
  return html`<figure class="${isSignature && 'signature'}">
${stored?.store_key ? html`<a href="${path}"><img src="${path}" alt="${caption}" loading="lazy"></a>` : html`<p class="missing">${say(missing)}</p>`}
<figcaption>${caption}</figcaption>
</figure>`
}
