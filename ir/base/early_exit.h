// What a computation throws to leave itself early, and catches where it began: nobody's mistake.
#pragma once
#include <exception>
#include <string>
#include <utility>

namespace hexproof {

/// Each computation has a class of its own.
class EarlyExit : public std::exception {
 public:
  explicit EarlyExit(std::string message) : message(std::move(message)) {}
  const char* what() const noexcept override { return message.c_str(); }
  std::string message;
};

}  // namespace hexproof
