import { textOn } from '../../core/colour.ts'

/** For the screen, light and dark, and for paper. */
export const style = (accent: string) => `
:root{color-scheme:light dark;--ink:#111827;--quiet:#4b5563;--line:#d5d9e0;--paper:#fff;--good:#0f6b3a;--bad:#a32020;--brand:${accent};--on-brand:${textOn(accent)}}
@media (prefers-color-scheme:dark){:root{--ink:#f3f4f6;--quiet:#b6bcc6;--line:#3a414d;--paper:#14171c;--good:#6ddb9c;--bad:#ff9d9d}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:52rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem;padding-bottom:1rem;border-bottom:1px solid var(--line)}
header p{margin:0;flex:1 1 8rem}
.logo{max-width:8rem;max-height:2.5rem;background:#fff;border-radius:.25rem}
.button{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 1rem;border-radius:.5rem;background:var(--brand);color:var(--on-brand);font-weight:600;text-decoration:none}
a{color:inherit}
a:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
h1,h2{font-size:1.5rem;line-height:1.25;margin:1.5rem 0 0}
.awb{margin:0;color:var(--quiet)}
.mark{margin:.5rem 0 1rem;font-size:1.125rem;font-weight:700}
.good{color:var(--good)}.bad{color:var(--bad)}
dl{margin:0}
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
dt{flex:0 0 11rem;color:var(--quiet)}dd{flex:1 1 14rem;margin:0;white-space:pre-wrap}
table{width:100%;margin-top:1rem;border-collapse:collapse}
th,td{padding:.5rem .5rem .5rem 0;text-align:start;vertical-align:top;border-bottom:1px solid var(--line)}
article{padding-top:.5rem}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));gap:1rem;margin-top:1rem}
figure{margin:0}
figure img{display:block;width:100%;max-height:20rem;object-fit:contain;object-position:left;border-radius:.5rem}
.signature img{background:#fff;max-height:9rem;border:1px solid var(--line)}
.missing{margin:0;padding:1rem;border:1px dashed var(--quiet);border-radius:.5rem}
figcaption{margin-top:.25rem;font-size:.875rem;color:var(--quiet)}
footer{margin-top:2rem;font-size:.875rem;color:var(--quiet)}
@media print{
:root{color-scheme:light;--ink:#000;--quiet:#444;--line:#bbb;--paper:#fff;--good:#0f6b3a;--bad:#a32020}
body{max-width:none;padding:0;font-size:10pt}
.button{display:none}
article{break-before:page}main>article:first-child{break-before:auto}
figure,dl div{break-inside:avoid}
.pictures{grid-template-columns:1fr 1fr}
}
`
