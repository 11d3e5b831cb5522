// The files of the repository to which pages link, and the files in the directories to which pages link, as pages.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const LANGUAGES = { c: 'c', h: 'c', java: 'java', bsh: 'java', properties: 'properties', xml: 'xml' }

function linkedFromPages() {
  const pages = ['.', 'bench', 'docs'].flatMap(directory => fs.readdirSync(path.join(repository, directory))
    .filter(name => name.endsWith('.md'))
    .map(name => path.join(directory, name)))
  return pages.flatMap(page => [...fs.readFileSync(path.join(repository, page), 'utf8').matchAll(/\]\(([^)#:]+)\)/g)]
    .map(([, link]) => path.join(path.dirname(page), link))
    .filter(file => !file.endsWith('.md') && fs.existsSync(path.join(repository, file))))
}

function isDirectory(file) {
  return fs.statSync(path.join(repository, file)).isDirectory()
}

function filesBelow(directory) {
  return fs.readdirSync(path.join(repository, directory))
    .filter(name => name !== 'target' && !name.startsWith('.'))
    .map(name => path.join(directory, name))
    .flatMap(file => isDirectory(file) ? filesBelow(file) : [file])
}

function list(directory) {
  return filesBelow(directory)
    .map(file => path.relative(directory, file))
    .map(name => `- [${name}](${path.join(path.basename(directory), name)}.html)`)
    .join('\n')
}

function code(file) {
  const fence = '`'.repeat(8)
  const language = LANGUAGES[path.extname(file).slice(1)] ?? 'txt'
  return `${fence}${language}\n${fs.readFileSync(path.join(repository, file), 'utf8')}\n${fence}`
}

export default {
  paths() {
    const linked = new Set(linkedFromPages())
    const all = new Set([...linked].flatMap(file => isDirectory(file) ? [file, ...filesBelow(file)] : [file]))
    return [...all].map(file => ({
      params: { path: file },
      content: `# ${file}\n\n${isDirectory(file) ? list(file) : code(file)}`
    }))
  }
}
