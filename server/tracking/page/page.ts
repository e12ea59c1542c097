import { longest } from '../../../contract/limits.ts'
import type { Tracking } from '../../../contract/tracking.ts'
import { textOn } from '../../../core/colour.ts'
import { nameOf } from '../../../core/recipient-choice.ts'
import { readDay } from '../../../core/time.ts'
import type { Language } from '../../../core/words/languages.ts'
import type { Page } from '../../http/answers/respond.ts'
import { pageHeaders } from '../../http/pages/headers.ts'
import { Html, html } from '../../http/pages/html.ts'
import { publicHead, styleSource } from '../../http/pages/link-page.ts'
import { type Icon, icon } from './icons.ts'
import { timesIn } from './times.ts'
import { isWord, type Say, sayIn, type Word } from './words.ts'

/*
 * The page as the server writes it: complete without script. The script (web/tracking) replaces its parts when something
 * changed, knows no words of its own, and adds the map. Parts are told apart by their ids.
 */

interface Shown {
  tracking: Tracking
  uuid: string
  language: Language
  /** The code of a form that was refused. */
  refused: string | undefined
  now: Date
  assets: Html
  mapHosts: readonly string[]
}

/** What every part of the page needs. */
interface Desk extends Pick<Shown, 'tracking' | 'uuid' | 'language' | 'refused' | 'now'> {
  say: Say
  times: ReturnType<typeof timesIn>
}

export function renderPage({ assets, mapHosts, ...shown }: Shown): Page {
  const { tracking, language, now } = shown
  const { company, awb } = tracking
  const say = sayIn(language)
  const desk: Desk = { ...shown, say, times: timesIn(language, company.timezone, say, now) }
  const colours = `:root{--brand:${company.accentColor};--on-brand:${textOn(company.accentColor)}}`
  const title = say(wordFor(tracking.state, tracking))
  const time = desk.times.timeOf(now)
  return {
    headers: pageHeaders(policyOf(colours, mapHosts)),
    html: html`<!doctype html>
<html lang="${language}">
<head>
${publicHead(`${title} · ${company.name}`, company.logo && `${company.logo}?size=thumb`)}${assets}<style>${new Html(colours)}</style>
</head>
<body data-state="${tracking.state}">
<header id="top">
${company.logo && html`<img class="logo" src="${company.logo}?size=thumb" alt="">`}
<p class="who"><b>${company.name}</b><span>${awb}</span></p>
<p id="live" data-live="${say('live')}" data-updated="${say('updated', { time })}" data-since="${say('notLive', { time })}"
data-failed="${say('refused')}"><span>${say('asOf', { time })}</span> <a class="quiet" href="/t/${shown.uuid}">${say('showNewest')}</a></p>
</header>
${problemPart(desk)}
<main>
${[statusPart, againPart, mapPart, courierPart, instructionsPart, photosPart, proofPart, feedbackPart, placePart, messagesPart].map((part) => part(desk))}
</main>
${closingPart(desk)}
<p id="news" role="status" class="unseen"></p>
</body>
</html>
`,
  }
}

/** Nothing runs, or is loaded, but our own; a map from the operator's hosts. */
const policyOf = (style: string, mapHosts: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleSource(style)}`,
    "font-src 'self'",
    ['img-src', "'self'", 'data:', 'blob:', ...mapHosts].join(' '),
    ['connect-src', "'self'", ...mapHosts].join(' '),
    "worker-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A pickup has words of its own where those of a delivery would be wrong. */
function wordFor(word: Word, { isPickup }: Tracking): Word {
  const ofPickup = `pickup${word.charAt(0).toUpperCase()}${word.slice(1)}`
  return isPickup && isWord(ofPickup) ? ofPickup : word
}

const icons: Record<Tracking['state'], Icon> = {
  planned: 'package',
  assigned: 'calendar',
  onTheWay: 'navigation',
  arrived: 'house',
  done: 'check',
  failed: 'cross',
}

const asDate = (text: string | null | undefined) => (text ? new Date(text) : null)

function statusPart(desk: Desk) {
  const { tracking, say } = desk
  return html`<section id="status" class="card ${tracking.state}">
<h1><span class="badge">${icon(icons[tracking.state])}</span>${say(wordFor(tracking.state, tracking))}</h1>
${tracking.endedAt ? endOf(desk) : expectationOf(desk)}
</section>`
}

function expectationOf(desk: Desk) {
  const { tracking, say } = desk
  const { stopsBefore, state } = tracking
  if (state === 'arrived') return null
  return html`${whenOf(desk)}
${stopsBefore !== null && state === 'onTheWay' && wayOf(tracking, stopsBefore)}
${stopsBefore !== null && html`<p class="stops">${stopsBefore === 0 ? say('youAreNext') : say('stopsBefore', { n: stopsBefore })}</p>`}`
}

/** When the driver is expected: as computed, else in the window, unless that is over. */
function whenOf({ tracking: { arrival, window }, say, times, now }: Desk) {
  const [from, to] = [asDate(window?.from), asDate(window?.to)]
  const range = times.rangeOf(from, to)
  const agreedRange = times.rangeWithin(from, to)
  const agreedOn = from ?? to ?? now
  const windowDay = times.dayOf(agreedOn)
  const expected = (text: string) => html`<p class="range"><span class="unseen">${say('expected')} </span>${text}</p>`
  if (arrival) {
    const [start, end] = [new Date(arrival.from), new Date(arrival.to)]
    const day = times.dayOf(start)
    const isOtherDay = day !== windowDay && !range.startsWith(windowDay)
    const agreedThen = isOtherDay ? `${times.dayWithin(agreedOn)} ${agreedRange}` : agreedRange
    const agreed = range && say('yourWindow', { window: agreedThen })
    return html`${expected(times.rangeOf(start, end))}
<p class="sub">${[day, agreed].filter(Boolean).join(' · ')}</p>`
  }
  if (!range) return html`<p class="sub">${say('noTime')}</p>`
  if (to && to < now)
    return html`<p class="sub">${say('late')}</p>
<p class="sub">${windowDay} · ${say('yourWindow', { window: agreedRange })}</p>`
  return html`${expected(range)}
<p class="sub">${say('windowIs', { day: windowDay })}</p>`
}

/** More dots than this cannot be told apart. */
const mostDots = 8

const wayOf = ({ driver }: Tracking, stops: number) =>
  html`<p class="way" aria-hidden="true"><span class="end from">${icon(vehicles[driver?.transportationId ?? 0] ?? 'van')}</span>${Array.from({ length: Math.min(stops, mostDots) }, () => html`<i></i>`)}<span class="end to">${icon('house')}</span></p>`

function endOf({ tracking, say, times, language }: Desk) {
  const { endedAt, receivedBy, reason, isPickup } = tracking
  const end = asDate(endedAt) as Date
  const why = reason && (reason.labels[language] ?? reason.label)
  return html`<p class="when">${say('at', { day: times.dayOf(end), time: times.timeOf(end) })}</p>
${receivedBy && html`<p class="sub">${say(isPickup ? 'handedOverBy' : 'receivedBy', { name: receivedBy })}</p>`}
${why && html`<p class="sub">${say('reason', { reason: why })}</p>`}`
}

/** What follows a delivery that failed, or what its recipient may choose. */
function againPart({ tracking, uuid, say, times }: Desk) {
  const { next, again, isPickup } = tracking
  if (next)
    return html`<section id="again" class="card"><h2>${say(next.kind === 'again' ? 'triedAgain' : 'goesBack')}</h2>
${next.path && html`<a class="button primary wide" href="${next.path}">${say('seeNext')}</a>`}</section>`
  if (!again) return null
  const dayName = (day: string) => times.dayOf(readDay(day, tracking.company.timezone)?.start ?? new Date(day))
  return html`<section id="again" class="card"><h2 id="again-name">${say('chooseAgain')}</h2>
<form method="post" action="/t/${uuid}/reattempt" aria-labelledby="again-name">
<label>${say('chooseDay')}<select name="day" required>${again.days.map((day) => html`<option value="${day}">${dayName(day)}</option>`)}</select></label>
${again.windows.length > 0 && html`<label>${say('chooseWindow')}<select name="window" required>${again.windows.map((window) => html`<option value="${nameOf(window)}">${window.from}–${window.to}</option>`)}</select></label>`}
${again.safePlace && html`<label>${say('safePlace')}<textarea name="safePlace" rows="2" maxlength="${longest.instructions}" placeholder="${say('safePlaceHint')}"></textarea></label>`}
<button class="button primary wide">${say(isPickup ? 'pickupTryAgain' : 'tryAgain')}</button>
</form></section>`
}

function problemPart({ refused, say }: Desk) {
  const word = `refused${refused}`
  return html`<div id="problem">${refused && html`<p class="problem" role="alert">${say(isWord(word) ? word : 'refused')}</p>`}</div>`
}

/** For the script, which shows it if somebody wants to see a map. */
function mapPart({ tracking, say }: Desk) {
  const { position, destination, driver, line } = tracking
  if (!position) return null
  const there = destination?.lat != null && destination.lng != null && destination
  return html`<section id="map" class="map" hidden data-lat="${position.lat}" data-lng="${position.lng}"
data-name="${driver?.firstName}" data-here="${say('here')}" data-failed="${say('mapFailed')}"
data-map="${say('map')}" data-unreachable="${say('mapUnreachable')}"
${there && html` data-to-lat="${there.lat}" data-to-lng="${there.lng}"`}${line && html` data-line="${line}"`}>
<button type="button" class="show"><span>${icon('map')}<span class="label">${say('showMap')}</span></span></button>
</section>`
}

const vehicles: Record<number, Icon> = { 1: 'foot', 2: 'bicycle', 3: 'motorcycle', 4: 'car', 5: 'van', 6: 'truck' }

function courierPart(desk: Desk) {
  const { tracking, say } = desk
  const { driver, position, call, message, endedAt } = tracking
  const number = call ?? message
  if (endedAt || (!driver && !number)) return null
  return html`<section id="courier" class="card">
${driver && personOf(driver, say)}
${
  number &&
  html`<p class="buttons">
${call && html`<a class="button primary" href="tel:${dialled(call)}">${icon('phone')}${say('call')}</a>`}
${message && html`<a class="button text" href="sms:${dialled(message)}">${icon('message')}<span>${say('message')}</span></a>`}
</p>`
}
${position && driver && html`<p class="privacy">${icon('shield')}${say(wordFor('privacy', tracking), { name: driver.firstName })}</p>`}
</section>`
}

const dialled = (number: string) => number.replace(/[^\d+*#]/g, '')

function personOf({ firstName, avatar, transportationId }: NonNullable<Tracking['driver']>, say: Say) {
  const vehicle = transportationId === null ? undefined : vehicles[transportationId]
  const word = `vehicle${transportationId}`
  return html`<p class="person">
${avatar ? html`<img class="face" src="${avatar}?size=thumb" alt="">` : html`<span class="face" aria-hidden="true">${firstName.charAt(0).toUpperCase()}</span>`}
<span><b>${firstName}</b>${vehicle && isWord(word) && html`<span class="vehicle">${icon(vehicle)}${say(word)}</span>`}</span>
</p>`
}

function instructionsPart({ tracking, uuid, say }: Desk) {
  const { isOpen, given } = tracking.instructions
  if (!isOpen && given.length === 0) return null
  const list = given.length > 0 && html`<ul class="given">${given.map((text) => html`<li>${text}</li>`)}</ul>`
  const heading = say(given.length > 0 ? 'yourInstructions' : 'instructions')
  if (!isOpen) return html`<section id="instructions" class="card"><h2>${heading}</h2>${list}</section>`
  return html`<section id="instructions" class="card"><h2 id="instructions-name">${heading}</h2>${list}
<form method="post" action="/t/${uuid}/instructions" class="beside">
<textarea name="text" rows="2" maxlength="${longest.instructions}" required aria-labelledby="instructions-name" placeholder="${say(given.length > 0 ? 'addInstructions' : wordFor('instructionsHint', tracking))}"></textarea>
<button class="button">${say('save')}</button>
</form></section>`
}

function photosPart({ tracking, say }: Desk) {
  const { photos } = tracking
  if (photos.length === 0) return null
  const shown = photos.map(
    (path) => html`<a href="${path}"><img src="${path}" alt="${say(wordFor('photo', tracking))}" loading="lazy"></a>`,
  )
  return html`<section id="photos" class="card photos">${shown}</section>`
}

function proofPart({ tracking: { state }, uuid, say, language }: Desk) {
  if (state !== 'done') return null
  const path = `/t/${uuid}/proof.pdf?language=${language}`
  return html`<section id="proof"><a class="button wide" href="${path}">${icon('download')}${say('proofAsPdf')}</a></section>`
}

const ratings = [1, 2, 3, 4, 5] as const

const questionOf = ({ state, isPickup }: Tracking): Word =>
  state === 'failed' ? 'howWereWe' : isPickup ? 'howWasPickup' : 'howWasIt'

function feedbackPart({ tracking, uuid, say }: Desk) {
  const { isOpen, given } = tracking.feedback
  if (given)
    return html`<section id="feedback" class="card"><h2>${say('thanks')}</h2>
<p class="stars given"><span class="unseen">${say('yourRating', { rating: given.rating })}</span>${ratings.map((rating) => html`<span aria-hidden="true" class="star ${rating <= given.rating && 'lit'}">${icon('star')}</span>`)}</p>
${given.comment && html`<p class="sub">${given.comment}</p>`}</section>`
  if (!isOpen) return null
  return html`<section id="feedback" class="card"><form method="post" action="/t/${uuid}/feedback">
<fieldset><legend>${say(questionOf(tracking))}</legend>
<div class="stars">${ratings.map((rating) => html`<label class="star"><input type="radio" name="rating" value="${rating}" required><span class="unseen">${say(`rating${rating}`)}</span>${icon('star')}</label>`)}</div></fieldset>
<textarea name="comment" rows="2" maxlength="${longest.comment}" aria-label="${say('comment')}" placeholder="${say('comment')}"></textarea>
<button class="button primary wide">${say('send')}</button>
</form></section>`
}

function placePart({ tracking, say }: Desk) {
  const { destination, awb, isPickup } = tracking
  return html`<section id="place" class="facts">
${destination && html`<p>${icon('pin')}<span><span class="name">${say(isPickup ? 'pickupFrom' : 'deliverTo')}</span> <b>${destination.address}</b></span></p>`}
<p>${icon('package')}<span><span class="name">${say('parcel')}</span> <b>${awb}</b></span></p>
</section>`
}

/** Getting no more messages, or getting them again. */
function messagesPart({ tracking, uuid, say }: Desk) {
  if (!tracking.messages) return null
  const { isOptedOut } = tracking.messages
  return html`<section id="messages"><form method="post" action="/t/${uuid}/optOut">
<input type="hidden" name="optOut" value="${isOptedOut ? 'false' : 'true'}">
<button class="button faint">${say(isOptedOut ? 'optIn' : 'optOut')}</button>
</form></section>`
}

function closingPart({ tracking, say, times }: Desk) {
  const closes = asDate(tracking.closesAt)
  if (!closes) return html`<footer id="closing"></footer>`
  const when = say('closesAt', { day: times.dayWithin(closes), time: times.timeOf(closes) })
  return html`<footer id="closing"><p>${say('closes', { when })}</p></footer>`
}
