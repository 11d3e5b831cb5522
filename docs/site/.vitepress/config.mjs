import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// The build copies docs/site to a directory that is as deep in the repository, since npm installs beside this file.
const repository = fileURLToPath(new URL('../../..', import.meta.url))

const index = fs.readFileSync(path.join(repository, 'docs/README.md'), 'utf8')

function title(page) {
  return fs.readFileSync(path.join(repository, page), 'utf8').match(/^# (.*)$/m)[1]
}

/** Each table of the index is a group: its first cell is the name, and the rows link to the pages. */
function groups() {
  return index.split(/\n\n+/).filter(block => block.startsWith('|')).map(table => ({
    text: capitalized(table.match(/^\|([^|]*)\|/)[1].trim()),
    collapsed: false,
    items: [...table.matchAll(/\[([^\]]*)\]\(([\w-]+)\.md\)/g)]
      .map(([, text, page]) => ({ text: capitalized(text.replaceAll('`', '')), link: `/docs/${page}` }))
  }))
}

function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function refuseOrphans(groups) {
  const listed = new Set(groups.flatMap(group => group.items).map(item => `${item.link.slice('/docs/'.length)}.md`))
  const orphans = fs.readdirSync(path.join(repository, 'docs'))
    .filter(page => page.endsWith('.md') && page !== 'README.md' && !listed.has(page))
  if (orphans.length > 0) {
    throw new Error(`Pages are in no table of docs/README.md: pages=${orphans.join(', ')}; link to them in a table`)
  }
}

const tasks = groups()
refuseOrphans(tasks)

/** The slugs of GitHub, for links to headings that are right in both places. */
function slugify(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')
}

/** A README is the index of its directory. VitePress would leave out `.html` for the page of an XML file. */
function adaptLinks(md) {
  md.core.ruler.push('repository-links', state => {
    for (const token of state.tokens.flatMap(block => block.children ?? [])) {
      const href = token.type === 'link_open' && token.attrGet('href')
      if (href && !/^(\w+:|#)/.test(href)) {
        token.attrSet('href', href.replace(/README\.md(?=#|$)/, 'index.md').replace(/\.xml$/, '.xml.html'))
      }
    }
  })
}

/** Pages are compiled to modules that import vue, which is not installed in a directory above theirs. */
const vueOfThisDirectory = {
  name: 'vue-of-this-directory',
  enforce: 'pre',
  resolveId: (id, importer, { ssr }) => ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : null
}

export default {
  title: 'Arenakit',
  description: 'Off-heap memory for Java through the Foreign Function and Memory API.',
  // The full width of the column, for wide tables and lines of code.
  head: [['style', {}, '.VPContent .VPDoc.has-aside .content .content-container { max-width: none }']],
  transformHead: ({ siteData }) => [['link', { rel: 'icon', href: `${siteData.base}favicon.ico` }]],
  srcDir: '../..',
  srcExclude: ['**/target/**', '**/src/**'],
  outDir: '../site',
  cacheDir: 'cache',
  rewrites: page => page.replace(/^docs\/site\//, '').replace(/README\.md$/, 'index.md'),
  vite: { publicDir: path.join(repository, 'docs/site/public'), plugins: [vueOfThisDirectory] },
  markdown: {
    anchor: { slugify },
    config: adaptLinks
  },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'By task', link: '/docs/' },
      { text: 'API', link: '/api/index.html', target: '_self' }
    ],
    sidebar: [
      ...tasks,
      {
        text: 'The project',
        collapsed: false,
        items: ['bench/README.md', 'bench/results.md', 'CONTRIBUTING.md']
          .map(page => ({ text: title(page), link: `/${page.replace(/(README)?\.md$/, '')}` }))
      }
    ]
  }
}
