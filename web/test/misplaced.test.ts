import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { sharedBrowser, test } from './console.ts'
import { takeContext } from './contexts.ts'
import { findMisplaced } from './misplaced.ts'

/** Small pages, each with a fault that the test of the screens must find. */
const faulty: Record<string, { html: string; says: RegExp }> = {
  'a button beyond the right edge': {
    html: '<main style="overflow: hidden"><button style="position: absolute; left: 380px; width: 60px">Save</button></main>',
    says: /^button “Save” is outside the window$/,
  },
  'a page wider than the window': {
    html: '<table style="width: 500px"><tr><td>Bulevardul Unirii</td></tr></table>',
    says: /^the page is \d+ px wider than the window$/,
  },
  'a button below a list that fills the window and does not scroll': {
    html: `<div style="height: 300px; overflow: hidden"><p style="height: 290px">A-1</p><button>Next</button></div>`,
    says: /^button “Next” is (not shown in|cut off by) div/,
  },
  'a notice over the bar of the selection': {
    html: `<section style="position: fixed; bottom: 12px; left: 20px; background: white"><button>Assign</button></section>
      <p style="position: fixed; bottom: 4px; left: 10px; width: 200px; height: 40px; background: #eee">Saved</p>`,
    says: /^button “Assign” is under p “Saved”$/,
  },
  'the last row of a list under a bar that floats over it': {
    html: `<div style="height: 300px; overflow-y: auto"><p style="height: 400px">A-1</p><button>A-2</button></div>
      <footer style="position: fixed; bottom: 0; height: 60px; width: 100%; background: white">3 selected</footer>`,
    says: /^button “A-2” is under footer/,
  },
  'a word that is cut off': {
    html: '<p style="width: 40px; overflow: hidden; white-space: nowrap">Unassigned</p>',
    says: /^“Unassigned” is cut off by p/,
  },
  'a word of which only the dots are left': {
    html: '<p style="width: 12px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">Unassigned</p>',
    says: /^“Unassigned” is shortened to nothing$/,
  },
  'words that are written over others': {
    html: '<p style="width: 60px; white-space: nowrap">Bulevardul Unirii</p><p style="margin: -32px 0 0 40px">Late</p>',
    says: /are on each other$/,
  },
  'a dialog higher than the window': {
    html: '<div role="dialog" style="position: fixed; top: 0; height: 400px"><button style="margin-top: 340px">Save</button></div>',
    says: /^button “Save” is outside the window$/,
  },
  'a pane of the page itself that covers the page': {
    html: `<button>Filter</button><section style="position: absolute; inset: 0; background: white">Drivers</section>`,
    says: /^button “Filter” is under section “Drivers”$/,
  },
}

/** What looks like a fault and is none. */
const sound: Record<string, string> = {
  'a dialog over the page': `<button>New task</button>
    <div role="dialog" style="position: fixed; inset: 0; background: white"><h2>New task</h2><button>Save</button></div>`,
  'a head that stays while rows go under it': `<div style="height: 300px; overflow-y: auto" id="list">
    <h2 style="position: sticky; top: 0; background: white; height: 40px; margin: 0">Tasks</h2>
    ${'<p><button>Open</button></p>'.repeat(20)}</div><script>document.querySelector('#list').scrollTop = 50</script>`,
  'a bar over a list with room at its end': `<div style="height: 300px; overflow-y: auto">
    ${'<p><button>Open</button></p>'.repeat(20)}<div style="height: 200px"></div></div>
    <footer style="position: fixed; bottom: 0; height: 60px; width: 100%; background: white">3 selected</footer>`,
  'pins on each other in a map': `<div class="map-frame" style="position: relative; height: 200px">
    <button style="position: absolute; left: 20px; top: 20px; background: red">1</button>
    <button style="position: absolute; left: 22px; top: 20px; background: red">2</button></div>`,
  'a table that scrolls sideways in its frame': `<div style="overflow-x: auto"><table style="width: 900px">
    <tr><td>Bulevardul Unirii</td><td><button>Edit</button></td></tr></table></div>`,
  'an address that ends in dots':
    '<p style="width: 90px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">Bulevardul Unirii 12</p>',
  'figures that do not fit and are hidden': `<dl style="height: 20px; width: 120px; overflow: hidden; margin: 0">
    <div style="height: 20px">12 of 40</div><div style="height: 20px">622 lei</div></dl>`,
  'a pane that was opened over the page': `<button>Filter</button>
    <aside style="position: absolute; inset: 0; background: white"><button>Close</button></aside>`,
  'a field that lies under its own words': `<label style="position: relative; display: block">Tomorrow
    <input type="date" style="position: absolute; inset: 0; opacity: 0"></label>`,
}

async function openSmallPage(t: TestContext) {
  const context = await takeContext(t, await sharedBrowser(), { locale: 'en-GB' })
  const page = await context.newPage()
  await page.setViewportSize({ width: 400, height: 320 })
  return page
}

test('what is misplaced on a screen is found, and nothing else', async (t) => {
  const page = await openSmallPage(t)
  const show = async (html: string) => {
    await page.setContent(`<!doctype html><body style="margin: 8px; font: 13px sans-serif">${html}</body>`)
    return findMisplaced(page)
  }
  for (const [what, { html, says }] of Object.entries(faulty))
    await t.test(`${what} is found`, async () => {
      const found = await show(html)
      assert.ok(
        found.some((one) => says.test(one)),
        `found ${JSON.stringify(found)}`,
      )
    })
  for (const [what, html] of Object.entries(sound))
    await t.test(`${what} is not`, async () => assert.deepEqual(await show(html), []))
})
