#!/bin/sh
# Builds target/vscode/rulepack.vsix: the extension with its one dependency. Needs node with npm, and zip.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$here/../../.." && pwd)/target/vscode
build="$out/build"
rm -rf "$build"
mkdir -p "$build/extension"
cp "$here/package.json" "$here/extension.js" "$here/README.md" "$build/extension/"
(cd "$build/extension" && npm install --omit=dev --no-audit --no-fund --no-package-lock --ignore-scripts --silent)
node --check "$build/extension/extension.js"
version=$(node -p "require('$here/package.json').version")
cat > "$build/extension.vsixmanifest" <<MANIFEST
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="rulepack" Version="$version" Publisher="rulepack"/>
    <DisplayName>rulepack</DisplayName>
    <Description>Content packs of rulepack</Description>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="^1.85.0"/></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
MANIFEST
cat > "$build/[Content_Types].xml" <<TYPES
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
TYPES
rm -f "$out/rulepack.vsix"
(cd "$build" && zip -qr "$out/rulepack.vsix" .)
echo "$out/rulepack.vsix"
