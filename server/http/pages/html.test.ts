import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.ts'

test('a name cannot become a tag or end an attribute', () => {
  const name = `<img src=x onerror="alert('1')"> & co`
  const escaped = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; co'
  assert.equal(html`<p title="${name}">${name}</p>`.text, `<p title="${escaped}">${escaped}</p>`)
})

test('parts are put together as they are, and what is missing leaves nothing', () => {
  const items = ['a', 'b'].map((one) => html`<li>${one}</li>`)
  assert.equal(html`<ul>${items}</ul>${null}${undefined}${false}${0}`.text, '<ul><li>a</li><li>b</li></ul>0')
})
