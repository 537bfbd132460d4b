// The source documents, which may stand beside the project, and the programs in them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace hexproof {

/// Where the documents would be.
std::filesystem::path documents_folder();
/// RFC 77 among them; it need not exist.
std::filesystem::path rfc77_document();

/// A definition in a fenced block of Python: from its decorator to the next one, with the line where it starts.
struct Definition {
  int line;
  std::string text;
};
/// The definitions of a document, in its order. A block that is indented (in a list) loses its indentation.
std::vector<Definition> definitions(const std::filesystem::path& path);

}  // namespace hexproof
